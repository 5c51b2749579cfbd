import { Type, type TSchema } from 'typebox'

import { LOAD_KINDS, LOAD_STATES } from './load.ts'
import type { Entity } from './resource.ts'
import { nullable, spoken, strictObject, timestamp, uuid } from './schema.ts'

const count = Type.Integer({ minimum: 0 })
const source = strictObject({ uuid: uuid(), name: Type.String() })

/** The most urgent of a kind, and how many there are. */
const some = <T extends TSchema>(item: T, description: string) =>
  strictObject({ total: count, items: Type.Array(item, { maxItems: SHOWN }) }, { description })

/** So many of each kind at most. */
export const SHOWN = 10

/** What needs a person, and what happened lately. */
export const home = {
  staged: some(
    strictObject({
      source,
      load: strictObject({
        uuid: uuid(),
        number: Type.Integer({ minimum: 1 }),
        questions: count,
        rejected: count,
        finishedAt: nullable(timestamp()),
      }),
    }),
    'Loads that wait to be published, the oldest first',
  ),
  rejects: some(
    strictObject({ source, rejectedCount: count }),
    'Sources with rejects, the one with the most first',
  ),
  schedules: some(
    strictObject({ source, failures: count, nextRunAt: timestamp() }),
    'Schedules whose last run failed, the one that failed most often first',
  ),
  connections: some(
    strictObject({
      uuid: uuid(),
      name: Type.String(),
      message: nullable(spoken()),
    }),
    'Connections whose key is refused, or that did not answer',
  ),
  collections: some(
    strictObject({
      uuid: uuid(),
      name: Type.String(),
      received: count,
      late: count,
    }),
    'Collections with slots that wait for approval, or that are late',
  ),
  recent: Type.Array(
    strictObject({
      source,
      load: strictObject({
        number: Type.Integer({ minimum: 1 }),
        kind: Type.Enum(LOAD_KINDS),
        state: Type.Enum(LOAD_STATES),
        rows: nullable(count),
        by: nullable(Type.String()),
        at: timestamp(),
      }),
    }),
    { maxItems: SHOWN, description: 'The latest load of each source that changed last' },
  ),
}

export type Home = Entity<typeof home>
