import type { IngestOptions, IntakeControl, Judgement } from '../../../pipelines/index.ts'
import { type Content, openFile, openOrigin } from '../../stack/content.ts'
import { readTable } from '../../stack/look.ts'
import { targetColumns } from '../../stack/target-columns.ts'
import type { Actor } from '../actor.ts'
import { expectColumns } from './expect-columns.ts'
import { ofShape } from './preview-source.ts'
import { openContent } from './reload-source.ts'
import type { SourcesParts } from './sources-parts.ts'
import type { CheckedOrigin, Sources } from './sources.ts'

/** Reads a whole file as a creation would. What was sent is gone afterwards. */
export function checkSource(parts: SourcesParts): Sources['check'] {
  return async (actor, origin, { options, signal, shapeUuid, mapping }) => {
    const expectation =
      shapeUuid === undefined ? null : await ofShape(parts, actor, shapeUuid, mapping)
    parts.ingest.checkOptions(options)
    const columns =
      expectation === null
        ? ({ kind: 'any' } as const)
        : ({ kind: 'expected', expectation } as const)
    const content = await openChecked(parts, actor, origin, signal)
    return judge(parts, content, options, { columns, key: null, signal })
  }
}

/** The same as a reload of the source would; without an origin, from where it came. */
export function checkFor(parts: SourcesParts, find: Sources['find']): Sources['checkFor'] {
  return async (actor, uuid, origin, { options, mode, signal, ...given }) => {
    const source = await find(actor, uuid)
    const wanted = options ?? source.options
    parts.ingest.checkOptions(wanted)
    const table = await readTable(parts.pool, source.tableId)
    const expects = await expectColumns(parts, source, given)
    const columns = await targetColumns(parts.pool, table, mode, expects)
    const key = mode.kind === 'upsert' ? mode.key : null
    const content =
      origin === null
        ? (await openContent(parts, actor, source, undefined, signal)).content
        : await openChecked(parts, actor, origin, signal)
    return judge(parts, content, wanted, { columns, key, signal })
  }
}

const openChecked = (
  parts: SourcesParts,
  actor: Actor,
  origin: CheckedOrigin,
  signal: AbortSignal,
): Promise<Content> =>
  origin.kind === 'upload'
    ? openFile(parts, origin)
    : openOrigin(parts.ingest, actor, origin, signal)

async function judge(
  { ingest }: SourcesParts,
  content: Content,
  options: IngestOptions,
  control: IntakeControl,
): Promise<Judgement> {
  try {
    // Broken rows are counted with everything else, in the place of the first of them alone.
    const skipping = { ...options, onInvalid: 'skip' as const }
    await using intake = await ingest.openIntake(content.source, skipping, control)
    const judgement = await intake.judge(options)
    // The client may go on sending what the reader did not need.
    await content.stored()
    await content.discard(null)
    return judgement
  } catch (error) {
    const failure = content.failure() ?? error
    await content.discard(failure)
    throw failure
  }
}
