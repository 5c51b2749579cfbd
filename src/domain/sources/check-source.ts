import {
  EngineError,
  type IngestOptions,
  type IntakeControl,
  type Judgement,
  type Message,
} from '../../../pipelines/index.ts'
import { FileBackTooLargeException } from '../../errors/index.ts'
import { type Content, openFile, openOrigin } from '../../stack/fill/content.ts'
import { exportStream, writeTo } from '../../stack/export/export-stream.ts'
import { type CheckedAgainst, overRows } from '../../stack/judge-checked.ts'
import { readTable } from '../../stack/look.ts'
import { targetColumns } from '../../stack/fill/target-columns.ts'
import type { Actor } from '../actor.ts'
import { expectColumns } from './expect-columns.ts'
import { ofShape } from './preview-source.ts'
import { openContent } from './reload-source.ts'
import type {
  SourcesParts,
  Checked,
  CheckedOrigin,
  ExportedData,
  SayMessage,
  Finders,
  CheckOfSource,
  CheckQuery,
} from './sources.ts'

/** Reads a whole file as a creation would. What was sent is gone afterwards. */
export function checkSource(parts: SourcesParts) {
  return async (
    actor: Actor,
    origin: CheckedOrigin,
    { options, signal, shapeUuid, mapping, back }: CheckQuery,
  ): Promise<Checked> => {
    const expected =
      shapeUuid === undefined ? null : await ofShape(parts, actor, shapeUuid, mapping)
    parts.ingest.checkOptions(options)
    const columns =
      expected === null
        ? ({ kind: 'any' } as const)
        : ({ kind: 'expected', expectation: expected.expectation } as const)
    const against = expected && { enterpriseId: expected.shape.enterpriseId, into: null }
    const content = await openChecked(parts, actor, origin, signal)
    const control = { columns, key: null, signal }
    const judged = await judgeContent(parts, content, options, control, { against, back })
    return { ...judged, shape: expected?.shape ?? null }
  }
}

/** The same as a reload of the source would; without an origin, from where it came. */
export function checkFor(parts: SourcesParts, find: Finders['find']) {
  return async (
    actor: Actor,
    uuid: string,
    origin: CheckedOrigin | null,
    { options, mode, signal, back, ...given }: CheckOfSource,
  ): Promise<Checked> => {
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
    const against = { enterpriseId: table.enterpriseId, into: { table, mode } }
    const control = { columns, key, signal }
    const judged = await judgeContent(parts, content, wanted, control, { against, back })
    return { ...judged, shape: expects.shape }
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

interface Checking {
  /** What its rows would be with; null: nothing is expected of them. */
  readonly against: Omit<CheckedAgainst, 'expectation'> | null
  readonly back: SayMessage | undefined
}

/**
 * Reads all of it and says what is wrong; `back` puts that into words for a workbook in which it is
 * marked. The content is discarded, at the latest when the workbook has been taken.
 */
export async function judgeContent(
  { ingest }: Pick<SourcesParts, 'ingest'>,
  content: Content,
  options: IngestOptions,
  control: IntakeControl,
  { against, back }: Checking,
): Promise<Checked> {
  // Broken rows are counted with everything else, in the place of the first of them alone.
  const skipping = { ...options, onInvalid: 'skip' as const }
  const { columns, signal } = control
  try {
    await using intake = await ingest.openIntake(content.source, skipping, control)
    using over =
      against === null || columns.kind === 'any'
        ? null
        : await overRows(ingest, { ...against, expectation: columns.expectation }, signal)
    const judgement = await intake.judge(options, over)
    // The client may go on sending what the reader did not need.
    await content.stored()
    const judged = { judgement, options: skipping }
    if (back !== undefined) {
      const file = await giveBack(ingest, content, judged, back, signal)
      return { judgement, file }
    }
    await content.discard(null)
    return { judgement, file: null }
  } catch (error) {
    const failure = content.failure() ?? error
    await content.discard(failure)
    throw failure
  }
}

async function giveBack(
  ingest: SourcesParts['ingest'],
  content: Content,
  { judgement, options }: { judgement: Judgement; options: IngestOptions },
  say: (message: Message) => string,
  signal: AbortSignal,
): Promise<ExportedData> {
  const { source } = content
  const back = await ingest
    .giveBack(source, options, judgement, say, signal)
    .catch((error: unknown) => {
      throw asTooLarge(error)
    })
  const stream = await exportStream(async (out, begun, stop) => {
    try {
      await using written = back
      begun()
      await written.write((bytes) => writeTo(out, bytes, stop), stop)
    } finally {
      await content.discard(null)
    }
  }, signal)
  const stem = (source.name ?? '').replace(/\.[^.]{1,10}$/, '') || 'check'
  return {
    stream,
    contentType: CONTENT_TYPES[back.extension],
    filename: `${stem}.${back.extension}`,
  }
}

const CONTENT_TYPES = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xlsm: 'application/vnd.ms-excel.sheet.macroEnabled.12',
} as const

function asTooLarge(error: unknown): unknown {
  if (!(error instanceof EngineError) || error.problem.kind !== 'limit') return error
  const isOfBack = error.problem.limit === 'cellsGivenBack'
  return isOfBack ? new FileBackTooLargeException(error.text, { cause: error }) : error
}
