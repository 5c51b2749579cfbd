import type { PoolClient } from 'pg'

import {
  MissingColumnError,
  NotPermittedError,
  translateDatabaseError,
} from '../../db/database-errors.ts'
import {
  SourceBusyException,
  SourceInUseException,
  SourceNotFoundException,
} from '../../errors/index.ts'
import { sharerOf } from '../../shares.ts'
import type { Actor } from '../actor.ts'
import { tableMessages } from '../../stack/table/table-messages.ts'
import { schemaOf } from '../../stack/table/enterprise-schemas.ts'
import {
  readState,
  TableGoneError,
  type TableState,
  withSnapshot,
} from '../../stack/read/snapshot.ts'
import type { LocatedSource } from './source.ts'
import { sourceMessages } from './source-messages.ts'
import type { Reads, TableAccess } from './sources.ts'

type TableOfSource = Pick<LocatedSource, 'tableId' | 'enterpriseId' | 'tableName' | 'isLoaded'>

/** Reads the table in one state, together with the records of exactly that state. */
export async function inSnapshot<R>(
  { pool, nodes }: TableAccess,
  source: TableOfSource,
  work: (client: PoolClient, state: TableState) => Promise<R>,
  signal?: AbortSignal,
): Promise<R> {
  if (!source.isLoaded) throw new SourceBusyException(sourceMessages.firstLoad())
  await nodes.requireFor(source.tableId)
  const table = { schema: schemaOf(source.enterpriseId), table: source.tableName }
  try {
    return await withSnapshot(
      pool,
      table,
      async (client) => {
        const state = await readState(client, source.tableId)
        if (state === null) throw new SourceNotFoundException()
        return work(client, state)
      },
      signal,
    )
  } catch (error) {
    const known = translateDatabaseError(error)
    if (known instanceof MissingColumnError || known instanceof NotPermittedError) {
      throw changed(source, error)
    }
    if (!(error instanceof TableGoneError)) throw error
    const isDeleted = (await readState(pool, source.tableId)) === null
    throw isDeleted
      ? new SourceNotFoundException(undefined, { cause: error })
      : changed(source, error)
  }
}

/** The same for an answer that somebody waits for; it runs when its turn comes. */
export async function readInTurn<R>(
  reads: Reads,
  {
    actor,
    source,
    signal,
  }: { readonly actor: Actor; readonly source: TableOfSource; readonly signal: AbortSignal },
  work: (client: PoolClient, state: TableState) => Promise<R>,
): Promise<R> {
  using _place = await reads.places.wait(sharerOf(actor), signal)
  return inSnapshot(reads, source, work, signal)
}

const changed = ({ tableName }: TableOfSource, cause: unknown) =>
  new SourceInUseException(tableMessages.changedByOthers({ table: tableName }), { cause })
