import type { Readable } from 'node:stream'

import type { ByteSource, DataSource, Expectation } from '../../../pipelines/index.ts'
import type { FileShape } from '../../resources/shape.ts'
import { readTable } from '../../stack/look.ts'
import { expectationOfShape, targetColumns } from '../../stack/fill/target-columns.ts'
import type { Actor } from '../actor.ts'
import { expected } from '../shapes/expect.ts'
import { showPreview } from '../ingest/show-preview.ts'
import { expectColumns } from './expect-columns.ts'
import { openContent } from './reload-source.ts'
import type {
  SourcesParts,
  Previewed,
  PreviewedFile,
  PreviewOrigin,
  Finders,
  PreviewOfSource,
  PreviewQuery,
} from './sources.ts'

/** The same chain as a load, with a sample in place of a table. Nothing is stored. */
export function previewSource(parts: SourcesParts) {
  const { ingest } = parts
  return async (
    actor: Actor,
    origin: PreviewOrigin,
    { options, limit, signal, shapeUuid, mapping }: PreviewQuery,
  ): Promise<Previewed> => {
    const source = await openPreviewed(parts, actor, origin, signal)
    const { shape, expectation } =
      shapeUuid === undefined
        ? { shape: null, expectation: undefined }
        : await ofShape(parts, actor, shapeUuid, mapping)
    const preview = await showPreview(ingest, source, options, { limit, signal, expectation })
    return { preview, shape }
  }
}

/** As a reload of the source would read it. */
export function previewFor(parts: SourcesParts, find: Finders['find']) {
  const { ingest, pool } = parts
  return async (
    actor: Actor,
    uuid: string,
    origin: PreviewOrigin | null,
    { options, limit, signal, mapping }: PreviewOfSource,
  ): Promise<Previewed> => {
    const source = await find(actor, uuid)
    const read =
      origin === null
        ? (await openContent(parts, actor, source, undefined, signal)).content.source
        : await openPreviewed(parts, actor, origin, signal)
    const table = await readTable(pool, source.tableId)
    const expects = await expectColumns(parts, source, { mapping })
    const target = await targetColumns(pool, table, { kind: 'replace' }, expects)
    const expectation = target.kind === 'expected' ? target.expectation : undefined
    const preview = await showPreview(ingest, read, options ?? source.options, {
      limit,
      signal,
      expectation,
    })
    return { preview, shape: expects.shape }
  }
}

/** What the shape that is named expects. */
export const ofShape = async (
  { pool, shapes }: SourcesParts,
  actor: Actor,
  shapeUuid: string,
  mapping: Readonly<Record<string, string | null>> | undefined,
): Promise<{ readonly shape: FileShape; readonly expectation: Expectation }> => {
  const expects = await expected(pool, await shapes.find(actor, shapeUuid), { mapping })
  return { shape: expects.shape, expectation: expectationOfShape(expects) }
}

async function openPreviewed(
  { ingest }: SourcesParts,
  actor: Actor,
  origin: PreviewOrigin,
  signal: AbortSignal,
): Promise<DataSource> {
  if (origin.kind === 'upload') return readOnce(origin.incoming)
  return (await ingest.open(actor, origin, signal)).source
}

/** A preview never starts over, so it can read the stream directly. */
function readOnce({ filename, stream }: PreviewedFile): ByteSource {
  return { kind: 'bytes', name: filename, open: async (): Promise<Readable> => stream }
}
