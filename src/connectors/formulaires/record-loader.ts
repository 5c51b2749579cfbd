import type { RecordPage, RecordSource } from '../../../pipelines/index.ts'
import type { ConnectionAccess, RemoteItem, ResourceType } from '../connector.ts'
import { createAnswerCheck } from './answers.ts'
import type { FormulairesClient } from './client.ts'
import { LOADING, type RetryPolicy } from './retry.ts'
import { walkPages, type WalkLimits } from './walk-pages.ts'
import { ReadRecordPage } from './wire.ts'

/** Turns one described form or card into a source of records. */
export type RecordLoader = (access: ConnectionAccess, item: RemoteItem) => RecordSource

export interface LoaderOptions {
  readonly client: FormulairesClient
  readonly pageSize: number
  readonly limits: WalkLimits
  readonly retry?: RetryPolicy
}

/** Where the records of one kind of resource are. */
export interface RecordsPlace {
  readonly resource: ResourceType
  readonly path: (uuid: string) => string
}

const checkPage = createAnswerCheck(ReadRecordPage)

/** Of a wide form fewer records are asked for at once, so that its pages are no larger than others. */
const CELLS_OF_A_PAGE = 50_000

function recordsOfAPage(columns: number, most: number): number {
  return Math.max(1, Math.min(most, Math.floor(CELLS_OF_A_PAGE / Math.max(1, columns))))
}

export function createRecordLoader(
  { resource, path }: RecordsPlace,
  { client, pageSize, limits, retry = LOADING }: LoaderOptions,
): RecordLoader {
  return (access, item) => {
    const limit = recordsOfAPage(item.columns.length, pageSize)
    const fetchPage = async (cursor: string | null, signal: AbortSignal) => {
      const answer = await client.get(access, {
        path: path(item.uuid),
        query: { cursor: cursor ?? undefined, limit },
        asked: { kind: resource },
        policy: retry,
        signal,
      })
      const { items, nextCursor, total } = checkPage(answer.value)
      return { records: items.map(({ values }) => values), nextCursor, total, bytes: answer.bytes }
    }
    return {
      kind: 'records',
      name: item.title,
      columns: item.columns.map(({ key, label }) => ({ key, label })),
      async *pages(signal): AsyncGenerator<RecordPage> {
        for await (const { records, total } of walkPages(fetchPage, limits, signal)) {
          yield { records, total }
        }
      },
    }
  }
}
