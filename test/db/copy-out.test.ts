import { once } from 'node:events'
import { addAbortSignal } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

import { expect } from 'chai'
import * as fc from 'fast-check'
import type { PoolClient } from 'pg'

import type { DatabaseClient } from '../../src/db/client.ts'
import { copyOut } from '../../src/db/copy-out.ts'
import { useDatabase } from '../support/database.ts'

/** More than all buffers between the server and a reader hold. */
const MUCH = `copy (select repeat('x', 100000) from generate_series(1, 500)) to stdout`

describe('rows that COPY sends', () => {
  const database = useDatabase()

  async function onConnection(work: (client: PoolClient) => Promise<void>): Promise<void> {
    const client = await database.pool.connect()
    let broken = true
    try {
      await work(client)
      broken = false
    } finally {
      client.release(broken)
    }
  }

  const failureOf = (reading: Promise<unknown>): Promise<unknown> =>
    reading.then(
      () => null,
      (error: unknown) => error,
    )

  /** A query on the connection, which would wait for ever if an answer had been lost. */
  const answers = async (client: PoolClient) => {
    const { rows } = await client.query<{ found: number }>('select 1 as found')
    expect(rows).to.deep.equal([{ found: 1 }])
  }

  it('arrive complete, whatever their lengths, and the connection goes on', () =>
    onConnection(async (client) => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat({ max: 200_000 }), { maxLength: 12 }), async (lengths) => {
          const rows = lengths.map((length, at) => `(${at}, repeat('é${at}', ${length}))`)
          const values = rows.length === 0 ? `(0, '') limit 0` : rows.join(', ')
          const text = `copy (select t from (values ${values}) v(at, t) order by at) to stdout`
          const expected = lengths.map((length, at) => `${`é${at}`.repeat(length)}\n`).join('')
          expect((await buffer(copyOut(client, text))).toString() === expected).to.equal(true)
          await answers(client)
        }),
        { numRuns: 30 },
      )
    }))

  it('are not sent faster than they are read', () =>
    onConnection(async (client) => {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      const copy = copyOut(client, MUCH)
      const pieces = copy[Symbol.asyncIterator]() as AsyncIterator<Buffer>
      let bytes = (await pieces.next()).value.length
      while (!(await waitsForReader(rows[0]!.pid))) await pause(5)
      expect(copy.readableLength).to.be.at.most(16)
      for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
        bytes += next.value.length
      }
      expect(bytes).to.equal(500 * 100_001)
      await answers(client)
    }))

  async function waitsForReader(pid: number): Promise<boolean> {
    const { rows } = await database.pool.query<{ waits: boolean }>(
      `select wait_event is not distinct from 'ClientWrite' as waits
       from pg_stat_activity where pid = $1`,
      [pid],
    )
    return rows[0]!.waits
  }

  it('end with the error of the statement, and the connection can be used again', () =>
    onConnection(async (client) => {
      for (const rows of [1, 100_000]) {
        const text = `copy (select repeat('x', 100), 1 / (${rows} - g) from generate_series(1, ${rows}) g) to stdout`
        expect(await failureOf(buffer(copyOut(client, text)))).to.include({ code: '22012' })
        await answers(client)
      }
    }))

  it('end with an error where a reader is slow, and no answer is taken from the connection', () =>
    onConnection(async (client) => {
      const text = `copy (select repeat('x', 1000), 1 / (2000 - g) from generate_series(1, 2000) g) to stdout`
      const reading = async () => {
        for await (const _piece of copyOut(client, text)) await nextTurn()
      }
      expect(await failureOf(reading())).to.include({ code: '22012' })
      await answers(client)
    }))

  it('stop when they are aborted, and the connection can be closed', async () => {
    const client = await database.pool.connect()
    const leaving = new AbortController()
    const reading = async () => {
      for await (const _piece of addAbortSignal(leaving.signal, copyOut(client, MUCH))) {
        leaving.abort()
      }
    }
    expect(await failureOf(reading())).to.include({ name: 'AbortError' })
    client.release(true)
    expect((await database.pool.query('select 1')).rowCount).to.equal(1)
  })

  it('end with an error when the connection is lost', async () => {
    const client = await database.pool.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const reading = async () => {
      for await (const _piece of copyOut(client, MUCH)) {
        await database.pool.query('select pg_terminate_backend($1)', [rows[0]!.pid])
      }
    }
    expect(await failureOf(reading())).to.be.an('error')
    client.release(true)
  })

  it('have nobody to tell when the connection is lost after their reader has left', async () => {
    const client = (await database.pool.connect()) as PoolClient & DatabaseClient
    for await (const _piece of copyOut(client, MUCH)) break
    const lost = once(client, 'error')
    client.breakOff(new Error('lost'))
    await lost
    await nextTurn()
    client.release(true)
  })
})
