import { expect } from 'chai'

import type { TestResponse } from '../../support/client.ts'
import { uniqueTable } from '../deeds/sources.ts'
import { startOwnTime } from '../tools/own-time.ts'
import { streamUpload } from '../tools/stream-upload.ts'
import type { World } from '../world.ts'
import type { BadFile } from './bad-file.ts'

/** Of whatever is sent, and however it is broken. */
export const ANSWER_WITHIN_MS = 5_000
/** A client that still sends when the answer comes may find its line cut instead. */
const MOST_ATTEMPTS = 3

type Sent = Pick<BadFile, 'content' | 'options'>

/** The way of every upload: a form, read into a table while it is being stored. */
export async function sendFile(world: World, { content, options }: Sent): Promise<TestResponse> {
  const token = await world.client.as(world.people.admin).token()
  for (let attempt = 1; ; attempt++) {
    const fields = {
      source: 'file',
      name: 'Sent',
      tableName: uniqueTable(),
      ...(options && { options: JSON.stringify(options) }),
    }
    try {
      const { address } = world.server
      const answer = await streamUpload(address, '/sources', token, fields, content())
      await world.answers.see(answer, 'POST /sources')
      return answer
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !wasCut(error)) throw error
    }
  }
}

const wasCut = (error: unknown) =>
  ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')

/** Refused, or taken, as it says, and soon. */
export async function expectAnswer(world: World, file: BadFile, withinMs: number): Promise<void> {
  const ownTime = await startOwnTime(world.server.pid)
  const { status, body, text } = await sendFile(world, file)
  const tookMs = await ownTime(world.server.pid)
  const shown = text.slice(0, 400)
  if (file.code === null) {
    expect(status, shown).to.equal(201)
  } else {
    expect(status, shown).to.equal(400)
    expect(body.code, shown).to.equal(file.code)
    expect(body.detail).to.match(file.says)
    for (const member of file.tells ?? []) expect(body[member], member).to.be.a('number')
  }
  expect(tookMs, 'time to the answer').to.be.lessThan(world.within(withinMs))
}
