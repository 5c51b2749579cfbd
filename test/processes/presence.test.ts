import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { createLogger } from '../../src/observability/logger.ts'
import {
  isDead,
  openPresence,
  RETURNS_WITHIN_MS,
  removeDead,
  settleMissing,
} from '../../src/processes/presence.ts'
import { useDatabase } from '../support/database.ts'
import { addProcess, DEAD_PROCESS, fallSilent } from '../support/processes.ts'
import { startServer } from '../support/server-process.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { eventually } from '../support/patience.ts'

const SCRIPT = resolve(import.meta.dirname, '../support/presence-process.ts')
const HEARTBEAT_MS = 1000
const logger = createLogger({ level: 'silent', pretty: false })

describe('a process', () => {
  const database = useDatabase()
  const open = (databaseUrl = database.url) =>
    openPresence({ databaseUrl, heartbeatMs: HEARTBEAT_MS })

  afterEach(() => database.pool.query('delete from processes'))

  /** The answer that everything else goes by. */
  async function dead(processId: number): Promise<boolean> {
    const { rows } = await database.pool.query<{ dead: boolean }>(
      `select ${isDead('asked.number')} as dead from (select $1::integer as number) as asked`,
      [processId],
    )
    return rows[0]!.dead
  }
  /** What another process, which lives, makes of the others. */
  const judge = async () => {
    const { processId } = await addProcess(database.pool)
    return { pool: database.pool, logger, processId }
  }
  /** Looks as often as a sweeper would. */
  async function untilDead(processId: number): Promise<void> {
    const looking = await judge()
    await eventually(async () => {
      await removeDead(looking)
      expect(await dead(processId)).to.equal(true)
    })
  }
  async function startOther() {
    const other = await startServer(
      {},
      { script: SCRIPT, arguments: [database.url, String(HEARTBEAT_MS)], ready: /^Process (\d+)/ },
    )
    return { ...other, processId: Number(other.address) }
  }
  const lookAgainAfter = async (milliseconds: number) => {
    await sleep(milliseconds)
    await removeDead(await judge())
  }

  it('is alive from its start to its end', async () => {
    const presence = await open()
    await removeDead(await judge())
    expect(await dead(presence.processId)).to.equal(false)
    expect(await dead(DEAD_PROCESS)).to.equal(true)
    await presence[Symbol.asyncDispose]()
    expect(await dead(presence.processId)).to.equal(true)
  })

  it('never has the number of another one', async () => {
    await using first = await open()
    await using second = await open()
    expect(second.processId).to.not.equal(first.processId)
  })

  it('is dead soon after it was killed', async () => {
    await using other = await startOther()
    await other.kill()
    await untilDead(other.processId)
  })

  it('is known to be dead by the end of the start of another one', async () => {
    await using other = await startOther()
    await other.kill()
    await using next = await open()
    await settleMissing({ pool: database.pool, logger, processId: next.processId })
    expect(await dead(other.processId)).to.equal(true)
  })

  it('leaves nothing behind when it ends in good order', async () => {
    await using other = await startOther()
    await other.stop()
    expect(await dead(other.processId)).to.equal(true)
  })

  it('is dead once it was frozen for too long, and has another number when it goes on', async () => {
    await using other = await startOther()
    process.kill(other.pid, 'SIGSTOP')
    await untilDead(other.processId)
    process.kill(other.pid, 'SIGCONT')
    await eventually(async () => {
      const { rows } = await database.pool.query<{ id: number }>(
        'select id from processes where pid = $1',
        [other.pid],
      )
      expect(rows).to.have.length(1)
      expect(rows[0]!.id).to.be.greaterThan(other.processId)
    })
    expect(await dead(other.processId)).to.equal(true)
  })

  it('lives on under its number when its connection was cut', async () => {
    await using proxy = await startTcpProxy(database.url)
    await using presence = await open(proxy.through(database.url))
    const { processId } = presence
    for (let time = 0; time < 3; time++) {
      proxy.cutAll()
      await removeDead(await judge())
      await eventually(async () => expect(proxy.openConnections).to.equal(1))
      await lookAgainAfter(RETURNS_WITHIN_MS / 2)
    }
    expect(presence.processId).to.equal(processId)
    expect(await dead(processId)).to.equal(false)
  })

  it('is dead once it was cut off for too long, and has another number when it is back', async () => {
    await using proxy = await startTcpProxy(database.url)
    await using presence = await open(proxy.through(database.url))
    const { processId } = presence
    proxy.refuse(true)
    proxy.cutAll()
    await untilDead(processId)
    proxy.refuse(false)
    await eventually(async () => expect(presence.processId).to.not.equal(processId))
    expect(await dead(presence.processId)).to.equal(false)
    expect(await dead(processId)).to.equal(true)
  })

  it('is dead when its connection is open but no longer works', async () => {
    await using proxy = await startTcpProxy(database.url)
    await using presence = await open(proxy.through(database.url))
    const { processId } = presence
    proxy.throttle(0)
    await untilDead(processId)
    proxy.throttle(null)
    await eventually(async () => expect(presence.processId).to.not.equal(processId))
  })

  it('does not take other processes for dead right after it was cut off itself', async () => {
    const returned = await judge()
    await database.pool.query('update processes set steady_since = now() where id = $1', [
      returned.processId,
    ])
    const other = await addProcess(database.pool)
    await fallSilent(database.pool, other)
    expect(await removeDead(returned)).to.equal(0)
    expect(await removeDead(await judge())).to.equal(1)
    expect(await dead(other.processId)).to.equal(true)
  })

  it('does not take itself for dead', async () => {
    const slow = await addProcess(database.pool)
    await fallSilent(database.pool, slow)
    await removeDead({ pool: database.pool, logger, ...slow })
    expect(await dead(slow.processId)).to.equal(false)
  })
})
