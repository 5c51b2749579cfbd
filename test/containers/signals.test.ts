import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

import { expect } from 'chai'

import { makeFolder } from '../support/folder.ts'
import { TEST_ENCRYPTION_KEYS } from '../support/factories.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const HOOK = resolve(import.meta.dirname, '../support/announce-modules.js')

/** From the first room to the last one. */
const ROOMS = [
  '/src/start/stop-request.ts',
  '/pipelines/index.ts',
  '/src/db/knex.ts',
  '/src/http/routes/index.ts',
  '/src/app.ts',
] as const

/** How each process is started, and what it ends with when it is told to stop while it starts. */
const STARTS = [
  { name: 'the service', arguments: ['src/start.js'], code: 0, rooms: ROOMS },
  { name: 'cli serve', arguments: ['src/cli/start.js', 'serve'], code: 0, rooms: [ROOMS[2]] },
  { name: 'cli worker', arguments: ['src/cli/start.js', 'worker'], code: 0, rooms: [ROOMS[2]] },
  {
    name: 'cli migrate',
    arguments: ['src/cli/start.js', 'migrate'],
    code: 143,
    rooms: ['/src/db/migrate.ts'],
  },
] as const

describe('a process that is told to stop while it starts', () => {
  let dataDir: string
  let silentDatabase: Server
  const children: ChildProcess[] = []
  before('opens a database that never answers', async () => {
    dataDir = await makeFolder('signals')
    silentDatabase = createServer()
    silentDatabase.listen(0, '127.0.0.1')
    await once(silentDatabase, 'listening')
  })
  afterEach('kills what should be gone', () => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })
  after(async () => {
    silentDatabase.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  function start(args: readonly string[], environment: Readonly<Record<string, string>>) {
    const child = spawn(process.execPath, ['--import', HOOK, ...args], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: dataDir, ...environment },
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    })
    children.push(child)
    return child
  }

  const external = () => ({
    DATABASE_URL: `postgres://u:p@127.0.0.1:${(silentDatabase.address() as AddressInfo).port}/x`,
    AUTH_SECRET: 'x'.repeat(32),
    ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
  })

  for (const { name, arguments: args, code, rooms } of STARTS) {
    for (const room of rooms) {
      it(`ends with ${code} while ${name} loads ${room}`, async () => {
        const child = start(args, external())
        const said = text(child.stdout)
        const ended = once(child, 'exit')
        await loads(child, room)
        child.kill('SIGTERM')
        // Before the first module is there, nobody listens: then the signal itself ends it.
        const outcomes = [[code, null], ...(room === ROOMS[0] ? [[null, 'SIGTERM']] : [])]
        expect(outcomes).to.deep.include(await ended)
        expect(await said).to.equal('')
      })
    }

    it(`ends with ${code} while ${name} waits for its database`, async () => {
      const child = start(args, { ...external(), SHUTDOWN_GRACE: '10m' })
      channelOf(child).resume()
      const said = text(child.stderr)
      const ended = once(child, 'exit')
      await once(silentDatabase, 'connection')
      child.kill('SIGTERM')
      expect(await ended).to.deep.equal([code, null])
      expect(await said, 'it waited for its first attempt to fail').not.to.include('waiting for')
    })
  }

  it('ends a command that does not run until it is stopped as interrupted', async () => {
    const child = start(['src/cli/start.js', 'inspect', '-'], {})
    const ended = once(child, 'exit')
    await loads(child, '/src/cli/run-command.ts')
    child.kill('SIGINT')
    expect(await ended).to.deep.equal([130, null])
  })

  it('ends the forms simulator with 0', async () => {
    const child = start(['src/cli/start.js', 'formulaires'], {})
    const ended = once(child, 'exit')
    await loads(child, '/src/cli/run-command.ts')
    child.kill('SIGTERM')
    expect(await ended).to.deep.equal([0, null])
  })

  it('leaves no embedded database running, and warns of nothing that ends with it', async () => {
    const folder = await makeFolder('signals-embedded')
    try {
      for (const moment of [
        'embedded PostgreSQL is ready',
        'belong to a role of its own',
        'Listening on',
      ]) {
        const child = start(['src/start.js'], { DATA_DIR: folder, LOG_LEVEL: 'info' })
        channelOf(child).resume()
        const ended = once(child, 'exit')
        const said: string[] = []
        const both = [child.stdout, child.stderr].map(async (input) => {
          for await (const line of createInterface({ input })) {
            said.push(line)
            if (line.includes(moment)) child.kill('SIGINT')
          }
        })
        expect(await ended, moment).to.deep.equal([0, null])
        await Promise.all(both)
        expect(said.filter((line) => /"level":[4-6]0|Error/.test(line))).to.deep.equal([])
        expect(existsSync(join(folder, 'postgres', 'data', 'PG_VERSION'))).to.equal(true)
        expect(existsSync(join(folder, 'postgres', 'data', 'postmaster.pid'))).to.equal(false)
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

describe('a process that does not manage to stop', () => {
  const SCRIPT = resolve(import.meta.dirname, '../support/hanging-process.ts')
  let child: ChildProcess
  afterEach(() => void child.kill('SIGKILL'))

  async function tellToStop(
    signal: NodeJS.Signals,
    ...args: string[]
  ): Promise<{ ended: Promise<unknown[]> }> {
    child = spawn(process.execPath, [SCRIPT, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    for await (const line of createInterface({ input: child.stdout! })) {
      if (line === 'runs') child.kill(signal)
      if (line === 'asked to stop') break
    }
    return { ended }
  }

  it('is ended by a second signal', async () => {
    const { ended } = await tellToStop('SIGTERM')
    child.kill('SIGINT')
    expect(await ended).to.deep.equal([1, null])
  })

  it('takes one Ctrl-C for one, which npm passes on although the terminal has sent it to all', async () => {
    const { ended } = await tellToStop('SIGINT', '3000')
    child.kill('SIGINT')
    expect(await ended).to.deep.equal([0, null])
  })

  it('ends by itself when its time is over', async () => {
    const { ended } = await tellToStop('SIGTERM', '50')
    expect(await ended).to.deep.equal([0, null])
  })
})

/** Settles when the process begins to load the file. */
async function loads(child: ChildProcess, file: string): Promise<void> {
  const channel = channelOf(child)
  for await (const url of createInterface({ input: channel })) {
    if (url.endsWith(file)) break
  }
  // What it still says is let go of, or it would wait for a reader.
  channel.resume()
}

const channelOf = (child: ChildProcess) => child.stdio[3] as NodeJS.ReadableStream
