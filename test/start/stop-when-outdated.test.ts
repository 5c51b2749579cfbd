import { expect } from 'chai'

import { createLogger } from '../../src/observability/logger.ts'
import { stopWhenOutdated } from '../../src/start/stop-when-outdated.ts'
import { found } from '../support/patience.ts'

describe('a process whose database a later version has migrated', () => {
  it('ends, and says so, although it cannot hand its work back', async () => {
    const lines: string[] = []
    const logger = createLogger(
      { level: 'info', pretty: false },
      { write: (line) => lines.push(line) },
    )
    const asked: number[] = []
    const stop = { ask: (code: number) => asked.push(code) }
    stopWhenOutdated(
      AbortSignal.abort(new Error('The database is of a later version')),
      stop as never,
      logger,
      { afterMs: 1, handBack: () => Promise.reject(new Error('The database is away')) },
    )
    await found('the end', async () => asked[0] ?? null)
    const told = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
    expect(told).to.include('the work of this process could not be handed back')
  })
})
