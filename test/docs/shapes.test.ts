import { expect } from 'chai'

import { useApp } from '../support/app.ts'
import { readRequests, runRequests } from './guide-requests.ts'

describe('the guide to shapes', () => {
  const app = useApp()

  it('has requests that are answered as it shows', async () => {
    const requests = readRequests('shapes.md')
    expect(requests.length).to.be.at.least(12)
    await runRequests(app.client.as(await app.build.user()), requests)
  })
})
