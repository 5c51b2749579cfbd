import { expect } from 'chai'
import type { Pool } from 'pg'

import { NodeUnavailableError, translateDatabaseError } from '../../src/db/database-errors.ts'
import { createPool } from '../../src/db/pool.ts'
import { Sessions } from '../../src/db/sessions.ts'
import { type NodeWatch, watchNodes } from '../../src/stack/citus/nodes.ts'
import { createLogger } from '../../src/observability/logger.ts'
import { useDatabase } from '../support/database.ts'
import { createFactories } from '../support/factories.ts'
import { failure } from '../support/failure.ts'
import { holdClock, type HeldClock } from '../support/held-clock.ts'
import { holdLocks } from '../support/held-locks.ts'
import { until } from '../support/patience.ts'

const SESSION = 'a process under test'
const LOOK_EVERY_MS = 2000
const AWAY = ['node-1:5432']

/** What a cluster has in its catalogue; a lock that somebody holds stands for a node that is frozen. */
describe('a watch over the nodes of a cluster', () => {
  const database = useDatabase()
  const build = createFactories(() => database.pool)
  const logger = createLogger({ level: 'silent', pretty: false })
  let own: Pool
  let asking: Pool
  let clock: HeldClock
  let watch: NodeWatch
  let away: readonly string[]
  let asked: number

  before(async () => {
    await database.pool.query(
      `create table public.pg_dist_partition (logicalrelid regclass, partmethod "char");
       create table public.spread (a integer);
       create table public.plain (a integer);
       insert into pg_dist_partition values ('spread', 'h'), ('plain', 'n')`,
    )
  })
  beforeEach(() => {
    const sessions = new Sessions()
    own = createPool(database.url, { max: 3, sessionName: SESSION })
    asking = createPool(database.url, { max: 2, sessionName: SESSION })
    sessions.follow(own)
    clock = holdClock()
    away = []
    asked = 0
    watch = watchNodes({
      pool: asking,
      tableEngine: {
        distributedOf: async (_client, tables) => tables.filter(({ table }) => table === 'spread'),
      },
      sessions,
      sessionName: SESSION,
      nodesAway: async () => {
        asked++
        return away
      },
      logger,
      clock,
    })
  })
  afterEach(async () => {
    await watch[Symbol.asyncDispose]()
    await own.end()
    await asking.end()
  })

  /** Of this process, and for longer than a statement usually takes. */
  const hasWaited = (relation: string) =>
    until(`somebody waits for ${relation} for long enough`, async () => {
      const { rowCount } = await database.pool.query(
        `select from pg_stat_activity join pg_locks using (pid)
         where application_name = $1 and relation = $2::regclass and not granted
           and xact_start < clock_timestamp() - make_interval(secs => $3)`,
        [SESSION, relation, LOOK_EVERY_MS / 1000],
      )
      return rowCount === 1
    })
  const untilAsked = async () => {
    const before = asked
    await until('it has looked', () => {
      clock.advance(LOOK_EVERY_MS)
      return asked > before
    })
  }

  it('ends what waits for a node that is away, and nothing else', async () => {
    const held = await holdLocks(database.pool, 'lock table spread, plain')
    const onNodes = failure(own.query('select from spread'))
    const onCoordinator = own.query('select from plain')
    await hasWaited('spread')
    await hasWaited('plain')
    await untilAsked()
    away = AWAY
    await untilAsked()
    const error = await onNodes
    expect(translateDatabaseError(error)).to.be.instanceOf(NodeUnavailableError)
    expect(error.message).to.include(AWAY[0])
    await until('the server has ended it, too', async () => {
      const { rowCount } = await database.pool.query(
        `select from pg_locks where relation = 'spread'::regclass and not granted`,
      )
      return rowCount === 0
    })
    await held.release()
    await onCoordinator
    expect((await own.query('select 1 as one')).rows).to.deep.equal([{ one: 1 }])
  })

  it('asks no node while nothing waits for one', async () => {
    const held = await holdLocks(database.pool, 'lock table plain')
    const waiting = own.query('select from plain')
    await hasWaited('plain')
    clock.advance(LOOK_EVERY_MS)
    await watch[Symbol.asyncDispose]()
    expect(asked).to.equal(0)
    await held.release()
    await waiting
  })

  it('refuses what needs a node that is away, until it is back', async () => {
    const { enterprise } = await build.user()
    const tableOf = async (name: string) => {
      const { rows } = await database.pool.query<{ id: number }>(
        `insert into generated_tables (enterprise_id, name) values ($1, $2) returning id`,
        [enterprise!.id, name],
      )
      return rows[0]!.id
    }
    const [spread, plain] = [await tableOf('spread'), await tableOf('plain')]
    await watch.requireFor(spread)
    away = AWAY
    expect(await failure(watch.ask())).to.be.instanceOf(NodeUnavailableError)
    expect(await failure(watch.requireFor(spread))).to.be.instanceOf(NodeUnavailableError)
    await watch.requireFor(plain)
    away = []
    await untilAsked()
    await until('it is back', () =>
      watch.requireFor(spread).then(
        () => true,
        () => false,
      ),
    )
  })
})
