import type { Pool } from 'pg'

import { type Engine, EngineError, type LoadTarget } from '../../../pipelines/index.ts'
import { SourceOriginEmptyException } from '../../errors/index.ts'
import type { RemoteResources } from '../connections/remote-resources.ts'
import { ensureSchema } from '../tables/ensure-schema.ts'
import type { TableEngine } from '../tables/table-engine.ts'
import { schemaOf } from '../tables/table-name.ts'
import type { DocumentReader } from './document-reader.ts'
import type { Ingest, IngestControl, IngestTarget } from './ingest.ts'
import { LoadSlots } from './load-slots.ts'

export interface IngestParts {
  readonly engine: Engine
  /** Connections for loads alone: nothing else waits behind them. */
  readonly pool: Pool
  readonly concurrentLoads: number
  readonly tableEngine: TableEngine
  readonly documents: DocumentReader
  readonly connections: Pick<RemoteResources, 'openResource'>
}

export function createIngest(parts: IngestParts): Ingest {
  const { engine, pool, tableEngine, documents, connections } = parts
  const slots = new LoadSlots(parts.concurrentLoads)

  function engineTarget(
    target: IngestTarget,
    { seal }: IngestControl,
    connect: LoadTarget['connect'],
  ): LoadTarget {
    const schema = schemaOf(target.enterpriseId)
    return {
      connect,
      schema,
      table: target.table,
      rejects: { schema, table: target.rejectsTable },
      mode: target.mode,
      publish: async (client, result) => {
        await target.publish(client, result)
        await seal(client)
      },
      ...(tableEngine.prepare && { prepare: tableEngine.prepare }),
    }
  }

  return {
    async open(actor, origin, signal) {
      if (origin.kind === 'document') {
        const { source, enterpriseId, sha256 } = await documents.openForReading(
          actor,
          origin.documentUuid,
        )
        return {
          source,
          enterpriseId,
          title: source.name ?? '',
          sha256,
          sizeBytes: source.size ?? null,
        }
      }
      const { connectionUuid, resourceType, resourceUuid } = origin
      const { connection, item, source } = await connections.openResource(
        actor,
        connectionUuid,
        resourceType,
        resourceUuid,
        signal,
      )
      if (item.columns.length === 0) throw new SourceOriginEmptyException()
      return {
        source,
        enterpriseId: connection.enterpriseId,
        title: item.title,
        sha256: null,
        sizeBytes: null,
      }
    },

    preview: (source, options, control) => engine.preview(source, options, control),

    async load(source, options, target, control) {
      refuseUpsert(tableEngine, target)
      await ensureSchema(pool, schemaOf(target.enterpriseId))
      let slot: Disposable | null = null
      // Only now: a slow upload holds no place while its sample is still coming.
      const connect = async () => {
        slot ??= await slots.take(control.signal)
        const client = await pool.connect()
        return { client, release: (broken?: boolean) => client.release(broken) }
      }
      try {
        return await engine.load(source, options, engineTarget(target, control, connect), control)
      } finally {
        const taken = slot as Disposable | null
        taken?.[Symbol.dispose]()
      }
    },
  }
}

/** Rows of the same key lie on different nodes, and Citus joins for an update on one node alone. */
function refuseUpsert({ name }: TableEngine, { mode }: IngestTarget): void {
  if (name !== 'citus' || mode.kind !== 'upsert') return
  throw new EngineError(
    'Rows of a table that Citus distributes cannot be replaced by a key: append them, or replace all',
    { kind: 'options', pointer: '/mode' },
  )
}
