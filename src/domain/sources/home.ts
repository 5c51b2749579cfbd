import type { Pool } from 'pg'

import { untilAborted } from '../../db/until-aborted.ts'
import { type Home, SHOWN } from '../../resources/home.ts'
import { SCOPES } from '../../scope.ts'
import type { Actor } from '../actor.ts'

const SOURCE = `json_build_object('uuid', s.uuid, 'name', s.name) as source`
const FIRST = `limit ${SHOWN}`

/** Each with the total of its kind, so that one statement is enough. What was delivered waits in its collection. */
const STAGED = `
  select ${SOURCE}, l.uuid, l.number, coalesce(jsonb_array_length(l.questions), 0) as questions,
         coalesce(l.rows_rejected, 0) as rejected, l.finished_at as "finishedAt",
         count(*) over () as total
  from sources s join loads l on l.table_id = s.table_id and l.state = 'staged'
  where ${SCOPES.sources.rows('s', '$1')} and not exists (
    select from collection_deliveries d where d.load_id = l.id and d.state = 'received')
  order by l.finished_at, l.id ${FIRST}`

const REJECTS = `
  select ${SOURCE}, t.rejected_count as "rejectedCount", count(*) over () as total
  from sources s join generated_tables t on t.id = s.table_id
  where ${SCOPES.sources.rows('s', '$1')} and t.rejected_count > 0 order by t.rejected_count desc, s.id ${FIRST}`

const SCHEDULES = `
  select ${SOURCE}, p.failures, p.next_run_at as "nextRunAt", count(*) over () as total
  from sources s join source_schedules p on p.source_id = s.id
  where ${SCOPES.sources.rows('s', '$1')} and p.failures > 0 order by p.failures desc, s.id ${FIRST}`

const CONNECTIONS = `
  select c.uuid, c.name, coalesce(c.error_message, c.failure) as message, count(*) over () as total
  from connections c
  where ${SCOPES.connections.rows('c', '$1')} and (c.status = 'ERROR' or c.failure is not null)
  order by c.name, c.id ${FIRST}`

const COLLECTIONS = `
  select c.uuid, c.name, waiting.received, waiting.late, count(*) over () as total
  from collections c
  cross join lateral (
    select count(*) filter (where sl.state = 'received') as received,
           count(*) filter (where sl.state <> 'received' and c.deadline < now()) as late
    from collection_slots sl
    where sl.collection_id = c.id and sl.state in ('awaited', 'refused', 'received')) waiting
  where ${SCOPES.collections.rows('c', '$1')} and (waiting.received > 0 or waiting.late > 0)
  order by waiting.received desc, waiting.late desc, c.id ${FIRST}`

const RECENT = `
  select ${SOURCE}, l.number, l.kind, l.state, l.rows_loaded as rows, u.name as by,
         coalesce(l.finished_at, l.started_at) as at
  from (select * from sources s where ${SCOPES.sources.rows('s', '$1')} order by s.updated_at desc, s.id desc ${FIRST}) s
  cross join lateral (
    select * from loads o where o.table_id = s.table_id order by o.id desc limit 1) l
  left join users u on u.id = l.user_id
  order by at desc, l.id desc`

type SomeOf<Kind extends Exclude<keyof Home, 'recent'>> = Home[Kind]['items'][number]
type Source = SomeOf<'rejects'>['source']
type Counted<T> = T & { readonly total: number }
type StagedRow = SomeOf<'staged'>['load'] & { readonly source: Source }
type RecentRow = Home['recent'][number]['load'] & { readonly source: Source }

/** What needs a person, and what happened lately, of everything that the actor reaches. */
export const readHome =
  (pool: Pool) =>
  (actor: Actor, signal: AbortSignal): Promise<Home> =>
    untilAborted(pool, signal, async (client) => {
      const sources = [SCOPES.sources.reach(actor)]
      const staged = some(await client.query<Counted<StagedRow>>(STAGED, sources))
      const rejects = some(await client.query<Counted<SomeOf<'rejects'>>>(REJECTS, sources))
      const schedules = some(await client.query<Counted<SomeOf<'schedules'>>>(SCHEDULES, sources))
      const connections = some(
        await client.query<Counted<SomeOf<'connections'>>>(CONNECTIONS, [
          SCOPES.connections.reach(actor),
        ]),
      )
      const collections = some(
        await client.query<Counted<SomeOf<'collections'>>>(COLLECTIONS, [
          SCOPES.collections.reach(actor),
        ]),
      )
      const { rows: recent } = await client.query<RecentRow>(RECENT, sources)
      return {
        staged: { ...staged, items: staged.items.map(withLoad) },
        rejects,
        schedules,
        connections,
        collections,
        recent: recent.map(withLoad),
      }
    })

const withLoad = <T extends { readonly source: Source }>({ source, ...load }: T) => ({
  source,
  load,
})

function some<T>({ rows }: { readonly rows: readonly Counted<T>[] }): {
  readonly total: number
  readonly items: readonly T[]
} {
  return { total: rows[0]?.total ?? 0, items: rows }
}
