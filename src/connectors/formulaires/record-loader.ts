import { EngineError, type RecordPages, type RecordSource } from '../../../pipelines/index.ts'
import type { ConnectionAccess, RemoteItem, ResourceType } from '../connector.ts'
import { createAnswerCheck } from './answers.ts'
import { remoteFailure } from '../errors.ts'
import type { FormulairesClient } from './client.ts'
import { likelyCursor } from './likely-cursor.ts'
import { LOADING, type RetryPolicy } from './retry.ts'
import { type FetchPage, walkPages, type WalkLimits } from './walk-pages.ts'
import { PageEnd } from './wire.ts'
import { connectorMessages } from '../connector-messages.ts'

/** Turns one described form or card into a source of records. */
export type RecordLoader = (access: ConnectionAccess, item: RemoteItem) => RecordSource

interface LoaderOptions {
  readonly client: FormulairesClient
  readonly pageSize: number
  readonly limits: WalkLimits
  readonly retry?: RetryPolicy
}

/** Where to find the records of one kind of resource. */
interface RecordsPlace {
  readonly resource: ResourceType
  readonly path: (uuid: string) => string
}

const SHAPE = { rows: 'items', values: 'values', beside: ['nextCursor', 'total'] } as const

const checkEnd = createAnswerCheck(PageEnd)

/**
 * Fewer records of a wide form are requested at once, so that its pages are no larger than others.
 */
const CELLS_OF_A_PAGE = 50_000

function recordsOfAPage(columns: number, most: number): number {
  return Math.max(1, Math.min(most, Math.floor(CELLS_OF_A_PAGE / Math.max(1, columns))))
}

function createRecordLoader(
  { resource, path }: RecordsPlace,
  { client, pageSize, limits, retry = LOADING }: LoaderOptions,
): RecordLoader {
  return (access, item) => {
    const limit = recordsOfAPage(item.columns.length, pageSize)
    const fetchPage: FetchPage = async (cursor, signal) => {
      const { value: json, bytes } = await client.getBytes(access, {
        path: path(item.uuid),
        query: { cursor: cursor ?? undefined, limit },
        asked: { kind: resource },
        policy: retry,
        signal,
      })
      return {
        json,
        bytes,
        likelyCursor: likelyCursor(json),
        endOf: ({ beside }) => checkEnd(beside),
      }
    }
    return {
      kind: 'records',
      name: item.title,
      columns: item.columns.map(({ key, label }) => ({ key, label })),
      shape: SHAPE,
      async *pages(signal): RecordPages {
        try {
          yield* walkPages(fetchPage, limits, signal)
        } catch (error) {
          throw asRemoteFault(error)
        }
      },
    }
  }
}

/** Limits of a table, which even a valid form may exceed. */
const TABLE_LIMITS: ReadonlySet<string> = new Set(['columns', 'cellBytes'])

/** Broken or disproportionate data is the fault of the remote application. */
function asRemoteFault(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error
  const { problem } = error
  if (problem.kind === 'limit' && TABLE_LIMITS.has(problem.limit)) return error
  return remoteFailure('malformed', connectorMessages.answer({ fault: error.text }))
}

export function createCardSubmissionsLoader(options: LoaderOptions): RecordLoader {
  return createRecordLoader(
    { resource: 'card', path: (uuid) => `/api/v1/cards/${uuid}/submissions` },
    options,
  )
}

export function createFormResponsesLoader(options: LoaderOptions): RecordLoader {
  return createRecordLoader(
    { resource: 'form', path: (uuid) => `/api/v1/forms/${uuid}/responses` },
    options,
  )
}
