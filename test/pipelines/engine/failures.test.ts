import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect } from 'chai'
import { type ClientBase, Pool } from 'pg'

import { OutcomeUnknownError, SinkError } from '../../../pipelines/index.ts'
import { useDatabase } from '../../support/database.ts'
import { patience, until } from '../../support/patience.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import {
  bytesOf,
  connectTo,
  type CountedSource,
  failureOf,
  jsonRows,
  loadInto,
  rowsOf,
  stagingTables,
} from './loading.ts'

const MOST_READ_AHEAD = 32 * 1024 * 1024
const COPYING = "select pid from pg_stat_activity where query like 'copy %' and state = 'active'"

describe('a load that is broken off', () => {
  const database = useDatabase()

  const waitsForLock = async () => {
    const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock'"
    return (await rowsOf(database, waiting)).length > 0
  }

  beforeEach(async () => {
    await loadInto(database, bytesOf('[{"a":"old"}]'))
  })

  afterEach(async () => {
    expect(await rowsOf(database)).to.deep.equal([{ _row: 1, a: 'old' }])
    expect(await stagingTables(database)).to.deep.equal([])
    await database.pool.query('drop table if exists loaded, loaded_rejects')
  })

  for (const streams of [1, 2]) {
    const how = streams === 1 ? 'in one transaction' : 'over two streams'

    it(`stops at once when it is cancelled, ${how}`, async () => {
      const cancel = new AbortController()
      const loading = failureOf(
        loadInto(database, endlessRows(), {
          target: { streams },
          control: { signal: cancel.signal },
        }),
      )
      await until('it copies', async () => (await rowsOf(database, COPYING)).length === streams)
      cancel.abort(new Error('enough'))
      expect(await loading).to.have.property('message', 'enough')
      expect(await rowsOf(database, COPYING)).to.deep.equal([])
    })

    it(`leaves the old table when a backend is terminated, ${how}`, async () => {
      const loading = failureOf(loadInto(database, endlessRows(), { target: { streams } }))
      await until('it copies', async () => (await rowsOf(database, COPYING)).length === streams)
      await database.pool.query(`select pg_terminate_backend(pid) from (${COPYING}) copying`)
      const error = await loading
      expect(error).to.be.instanceOf(SinkError)
      expect((error as Error).cause).to.be.instanceOf(Error)
    })
  }

  for (const phase of ['loading', 'publishing']) {
    for (const streams of [1, 2]) {
      it(`returns clean connections whatever failed when ${phase}, ${streams} at once`, async () => {
        const stumble = () => {
          throw new TypeError('nobody foresaw this')
        }
        const error = await failureOf(
          loadInto(
            database,
            jsonRows(1000, (row) => ({ a: row })),
            {
              target: { streams },
              control: { onProgress: (told) => (told.phase === phase ? stumble() : undefined) },
            },
          ),
        )
        expect(error).to.have.property('message', 'nobody foresaw this')
        const busy =
          "select 1 from pg_stat_activity where state <> 'idle' and pid <> pg_backend_pid() and datname = current_database()"
        expect(await rowsOf(database, busy)).to.deep.equal([])
      })
    }
  }

  it('is cancelled also while it waits for readers of the old table', async () => {
    const reader = await database.pool.connect()
    const cancel = new AbortController()
    try {
      await reader.query('begin; lock table loaded in access share mode')
      const loading = failureOf(
        loadInto(database, bytesOf('[{"a":"new"}]'), { control: { signal: cancel.signal } }),
      )
      await until('it waits for the lock', waitsForLock)
      cancel.abort(new Error('enough'))
      // The reader still holds its lock.
      expect(await loading).to.be.instanceOf(Error)
    } finally {
      await reader.query('rollback')
      reader.release()
    }
  })

  it('is cancelled also while its own table is locked', async () => {
    const blocker = await database.pool.connect()
    const cancel = new AbortController()
    try {
      const loading = failureOf(
        loadInto(database, endlessRows(), {
          control: { signal: cancel.signal },
          target: {
            renew: async () => {
              await database.pool.query(
                'create table public.blocked (_row bigint not null, id bigint)',
              )
              await blocker.query('begin')
              await blocker.query('lock table blocked in share mode')
              void until('it waits for the lock', waitsForLock).then(() => {
                cancel.abort(new Error('enough'))
                return blocker.query('rollback')
              })
              return { schema: 'public', table: 'blocked' }
            },
          },
        }),
      )
      expect(await loading).to.have.property('message', 'enough')
    } finally {
      await blocker.query('rollback')
      blocker.release()
    }
  })

  it('reads no further than the database takes, and can still be cancelled', async () => {
    await using way = await startTcpProxy(database.url)
    const pool = new Pool({ connectionString: way.through(database.url) })
    pool.on('error', () => undefined)
    const cancel = new AbortController()
    let bytes = 0
    let connections = 0
    const source = endlessRows((length) => (bytes += length))
    try {
      const loading = failureOf(
        loadInto(database, source, {
          control: { signal: cancel.signal },
          target: {
            // Later ones are to find a way past the stall.
            connect: () => connectTo(connections++ < 2 ? pool : database.pool),
          },
        }),
      )
      await until('it copies', async () => (await rowsOf(database, COPYING)).length === 2)
      way.stall()
      // Whoever is held up by nothing reads far more than that meanwhile.
      let unhindered = 0
      for await (const chunk of await endlessRows().open(patience())) {
        unhindered += (chunk as Buffer).length
        if (unhindered > 2 * MOST_READ_AHEAD) break
        await nextTurn()
      }
      cancel.abort(new Error('enough'))
      expect(await loading).to.have.property('message', 'enough')
      expect(bytes - way.forwardedBytes).to.be.lessThan(MOST_READ_AHEAD)
      expect(await rowsOf(database, COPYING)).to.deep.equal([])
    } finally {
      await pool.end()
    }
  })

  it('fails with the reason of the source when that breaks', async () => {
    const source = bytesOf(function* () {
      for (let row = 0; row < 50_000; row++) yield `{"a":"line ${row}"}\n`
      throw new Error('the client hung up')
    })
    expect(await failureOf(loadInto(database, source))).to.have.property(
      'message',
      'the client hung up',
    )
  })
})

describe('a connection that is cut exactly at COMMIT', () => {
  const database = useDatabase()

  beforeEach(async () => {
    await loadInto(database, bytesOf('[{"a":"old"}]'))
  })

  afterEach(async () => {
    await database.pool.query('drop table if exists loaded, loaded_rejects')
  })

  it('is a success when Postgres had committed', async () => {
    const result = await loadInto(database, bytesOf('[{"a":"new"}]'), {
      target: {
        connect: () =>
          cutAtCommit(async (client) => {
            await client.query('commit')
          }),
      },
    })
    expect(result.counts.loaded).to.equal(1)
    expect(await rowsOf(database)).to.deep.equal([{ _row: 1, a: 'new' }])
  })

  it('is a failure when Postgres had not', async () => {
    const error = await failureOf(
      loadInto(database, bytesOf('[{"a":"new"}]'), {
        target: {
          connect: () =>
            cutAtCommit(async (client) => {
              await client.query('rollback')
            }),
        },
      }),
    )
    expect(error).to.be.instanceOf(SinkError).and.not.instanceOf(OutcomeUnknownError)
    expect(await rowsOf(database)).to.deep.equal([{ _row: 1, a: 'old' }])
  })

  async function cutAtCommit(instead: (client: ClientBase) => Promise<void>) {
    const connection = await connectTo(database.pool)
    let commits = 0
    const client = new Proxy(connection.client, {
      get(real, name) {
        const value: unknown = Reflect.get(real, name)
        if (name !== 'query') return typeof value === 'function' ? value.bind(real) : value
        return (...parameters: unknown[]): unknown =>
          // The first two are those of the empty table and of its rows.
          parameters[0] === 'commit' && ++commits === 3
            ? instead(real).then(() => {
                throw new Error('Connection terminated unexpectedly')
              })
            : Reflect.apply(real.query as (...all: unknown[]) => unknown, real, parameters)
      },
    })
    return { ...connection, client }
  }
})

function endlessRows(onBytes: (length: number) => void = () => undefined): CountedSource {
  const source = jsonRows(Number.MAX_SAFE_INTEGER, (row) => ({ id: row, text: `line ${row}` }))
  return {
    ...source,
    opened: 0,
    async open(signal) {
      const stream = await source.open(signal)
      return stream.map((chunk: Buffer) => {
        onBytes(chunk.length)
        return chunk
      })
    },
  }
}
