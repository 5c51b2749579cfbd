import { expect } from 'chai'

import { useApp } from '../support/app.ts'
import type { TestResponse } from '../support/client.ts'
import { readRequests, runRequests } from './guide-requests.ts'

/** The secret of the first link, and the first slot of its holder. */
function learn({ links, slots }: TestResponse['body']): Record<string, string> {
  return {
    ...(Array.isArray(links) && { link: String(links[0].url).split('#')[1]! }),
    ...(Array.isArray(slots) && { slot: slots[0].uuid as string }),
  }
}

describe('the guide to collections', () => {
  const app = useApp()

  it('has a whole round that is answered as it shows', async () => {
    const requests = readRequests('collections.md')
    expect(requests.length).to.be.at.least(10)
    await runRequests(app.client.as(await app.build.user()), requests, learn)
  })
})
