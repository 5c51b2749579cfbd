import {
  EngineError,
  type ReadPage,
  type RecordPage,
  type RecordSource,
} from '../../../pipelines/index.ts'
import type { ConnectionAccess, RemoteItem, ResourceType } from '../connector.ts'
import { createAnswerCheck } from './answers.ts'
import { remoteFailure } from '../errors.ts'
import type { FormulairesClient } from './client.ts'
import { likelyCursor } from './likely-cursor.ts'
import { LOADING, type RetryPolicy } from './retry.ts'
import { type ArrivedPage, type FetchPage, walkPages, type WalkLimits } from './walk-pages.ts'
import { PageEnd } from './wire.ts'

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

const SHAPE = { rows: 'items', values: 'values', beside: ['nextCursor', 'total'] } as const

const checkEnd = createAnswerCheck(PageEnd)

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
    const fetchPage = async (
      cursor: string | null,
      signal: AbortSignal,
      readPage: ReadPage,
    ): Promise<ArrivedPage> => {
      const answer = await client.getBytes(access, {
        path: path(item.uuid),
        query: { cursor: cursor ?? undefined, limit },
        asked: { kind: resource },
        policy: retry,
        signal,
      })
      return {
        likelyCursor: likelyCursor(answer.value),
        async read() {
          const { rows, beside } = await readPage(answer.value, SHAPE).catch(asMalformed)
          return { rows, ...checkEnd(beside), bytes: answer.bytes }
        },
      }
    }
    return {
      kind: 'records',
      name: item.title,
      columns: item.columns.map(({ key, label }) => ({ key, label })),
      async *pages(signal, readPage): AsyncGenerator<RecordPage> {
        const fetchNext: FetchPage = (cursor, aborted) => fetchPage(cursor, aborted, readPage)
        for await (const { rows, total } of walkPages(fetchNext, limits, signal)) {
          yield { rows, total }
        }
      },
    }
  }
}

/** Bounds of a table, which a form that is in order may go beyond. */
const TABLE_LIMITS: ReadonlySet<string> = new Set(['columns', 'cellBytes'])

/** What is broken, or out of all proportion, is the remote application's fault. */
function asMalformed(error: unknown): never {
  if (!(error instanceof EngineError)) throw error
  const { problem } = error
  if (problem.kind === 'limit' && TABLE_LIMITS.has(problem.limit)) throw error
  throw remoteFailure('malformed', `The remote application's answer: ${error.message}`)
}
