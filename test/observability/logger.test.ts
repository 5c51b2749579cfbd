import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'

import { expect } from 'chai'

import { createLogger } from '../../src/observability/logger.ts'
import { lineForPeople } from '../../src/observability/line-for-people.ts'

const LOGGING_PROCESS = resolve(import.meta.dirname, '../support/logging-process.ts')

/** A process that has logged its first line; the list of what it logs grows. */
async function startLogging() {
  const child = spawn(process.execPath, [LOGGING_PROCESS], { stdio: ['ignore', 'ignore', 'pipe'] })
  const lines: string[] = []
  const reader = createInterface({ input: child.stderr }).on('line', (line) => lines.push(line))
  const exited = once(child, 'exit')
  const closed = once(reader, 'close')
  await once(reader, 'line')
  return { child, lines, exited, closed }
}

describe('a log', () => {
  it('has its last lines written when the process ends', async () => {
    const { child, lines, exited, closed } = await startLogging()
    child.kill('SIGTERM')
    expect(await exited).to.deep.equal([0, null])
    await closed
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).to.deep.equal([
      'begun',
      'stopping',
    ])
  })

  it('has one writer, however many loggers there are', () => {
    const before = process.listenerCount('exit')
    for (let made = 0; made < 20; made++) createLogger({ level: 'silent', pretty: false })
    expect(process.listenerCount('exit')).to.be.at.most(before + 1)
  })

  it('has no secret of a request, even where all of it is logged by mistake', () => {
    const lines: string[] = []
    const write = (line: string) => void lines.push(line)
    const names = ['authorization', 'x-app-access-token', 'x-delivery-token', 'x-api-key', 'cookie']
    const headers = Object.fromEntries(names.map((name) => [name, 'not to be seen']))
    createLogger({ level: 'info', pretty: false }, { write }).info(
      { request: { headers } },
      'asked',
    )
    expect(lines.join('')).to.include('[redacted]').and.not.to.include('not to be seen')
  })

  it('keeps no process alive whose reader goes away in the moment of its end', async () => {
    const { child, exited } = await startLogging()
    try {
      child.stderr.destroy()
      child.kill('SIGTERM')
      expect(await exited).to.deep.equal([0, null])
    } finally {
      child.kill('SIGKILL')
    }
  })
})

describe('a line for people', () => {
  const TIME = '2026-01-02T03:04:05.678Z'

  it('says of a request what was asked for and what became of it', () => {
    expect(
      lineForPeople({
        level: 30,
        time: TIME,
        requestId: 'r1',
        method: 'GET',
        path: '/folders',
        route: '/folders',
        status: 200,
        durationMs: 12,
        msg: 'request',
      }),
    ).to.equal('GET /folders 200 in 12 ms requestId=r1')
  })

  it('shows an error with its causes and where it comes from, on one line', () => {
    const line = lineForPeople({
      level: 50,
      time: TIME,
      msg: 'a request failed',
      err: {
        type: 'TypeError',
        message: 'two\nlines',
        stack:
          'TypeError: two\nlines\n    at work (src/work.ts:1:2)\n    at more (src/more.ts:3:4)',
        cause: { type: 'Error', message: 'away' },
      },
    })
    expect(line).to.equal(
      'a request failed err="TypeError: two\\nlines", because of Error: away (at work (src/work.ts:1:2))',
    )
  })

  it('shows other values as they are, and none on a line of its own', () => {
    expect(lineForPeople({ msg: 'x', list: [1, 2], text: 'a\nb', none: undefined })).to.equal(
      'x list=[1,2] text="a\\nb" none=none',
    )
  })
})
