import type { Mapping } from '../../../pipelines/index.ts'
import { ServiceUnavailableException, SourceLoadConflictException } from '../../errors/index.ts'
import { contentOfKept, openOrigin } from '../../stack/fill/content.ts'
import { fill, recordRows } from '../../stack/fill/fill.ts'
import { markGone } from '../../stack/keep/forget.ts'
import type { Lease } from '../../stack/leases.ts'
import { fileOfLoad, type Load, modeOf } from '../../stack/load.ts'
import { loadMessages } from '../../stack/load-messages.ts'
import { readTable } from '../../stack/look.ts'
import { publishRows } from '../../stack/publish.ts'
import { publishStaged } from '../../stack/publish-staged.ts'
import { runLoad, type Work } from '../../stack/fill/run-load.ts'
import type { Actor } from '../actor.ts'
import type { Answers, GivenMapping } from '../shapes/expect.ts'
import { openCorrected } from './correct-rejects.ts'
import { expectColumns, openQuestions } from './expect-columns.ts'
import { originOf } from './reload-source.ts'
import type { Source } from './source.ts'
import { sourceMessages } from './source-messages.ts'
import type { SourcesParts } from './sources.ts'

interface Answered {
  readonly actor: Actor
  readonly source: Source
  readonly load: Load
  readonly lease: Lease
}

/**
 * Publishes a staged load with the answers to its questions. Where they want cells elsewhere than
 * they were loaded, what was sent is read anew, and takes the place of the load.
 */
export async function answerLoad(
  parts: SourcesParts,
  { actor, source, load, lease }: Answered,
  { mapping, remember = true, seen }: GivenMapping,
  work: Work,
): Promise<void> {
  if (load.state !== 'staged') throw new SourceLoadConflictException(loadMessages.notStaged())
  // Refuses whoever was shown another version of the shape.
  if (seen) await expectColumns(parts, source, { seen })
  const { questions } = load
  if (mapping === undefined) {
    if (questions.length > 0) throw openQuestions(questions)
    return publishStaged(parts, { load, lease, answers: null }, work)
  }
  const answers = {
    given: { ...load.answers?.given, ...mapping },
    remember: remember && load.answers?.remember !== false,
  }
  if (isAsLoaded(load, mapping)) {
    refuseUnanswered(load, mapping)
    return publishStaged(parts, { load, lease, answers }, work)
  }
  return loadAnew(
    parts,
    { actor, source, load, lease },
    { ...answers, mapping: answers.given },
    work,
  )
}

/** Whether every cell lies where the answers want it. */
function isAsLoaded({ mapping: mapped, columns }: Load, answers: Answers): boolean {
  const loaded = new Map((mapped ?? []).map((entry) => [entry.header, entry as MappedEntry]))
  const inSql = new Map(columns.map(({ name, column }) => [column, name]))
  return Object.entries(answers).every(([header, name]) => {
    const entry = loaded.get(header)
    if (entry === undefined) return false
    const wanted =
      name === null || columns.some((column) => column.name === name)
        ? name
        : (inSql.get(name) ?? name)
    return entry.loadedAs === wanted
  })
}

type MappedEntry = Mapping['headers'][number]

/** Without a single answer, all may stay as the shape proposes. */
function refuseUnanswered({ questions }: Load, answers: Answers): void {
  if (Object.keys(answers).length === 0) return
  const open = questions.filter(({ header }) => header && !Object.hasOwn(answers, header))
  if (open.length > 0) throw openQuestions(open)
}

async function loadAnew(
  parts: SourcesParts,
  { actor, source, load, lease }: Answered,
  given: GivenMapping,
  work: Work,
): Promise<void> {
  const { pool } = parts
  const file = await fileOfLoad(pool, load)
  const origin = file === null ? originOf(source) : null
  if (file === null && origin === null) {
    throw new ServiceUnavailableException(sourceMessages.fileNotKept())
  }
  const content =
    file === null
      ? await openOrigin(parts.ingest, actor, origin!, work.signal)
      : contentOfKept(parts.store, file)
  const corrected =
    load.kind === 'rejects' && file !== null
      ? await openCorrected(parts, source, file, work.signal)
      : null
  const expects = await expectColumns(parts, source, given)
  const request = {
    actor,
    lease,
    table: await readTable(pool, load.tableId),
    kind: load.kind,
    mode: modeOf(load),
    options: corrected?.options ?? (load.options as Source['options']),
    origin: load.origin!,
    content: corrected === null ? content : { ...content, source: corrected.records },
    // Whether a column may stay empty was answered by answering.
    expects: { ...expects, admit: refuseOpenHeaders },
    publishes: true,
  }
  await runLoad(parts, request, work, async (open) => {
    await using filled = await fill(parts, open, work)
    await filled.transaction(async (tx) => {
      const rows = await recordRows(tx, parts, open, filled, corrected?.warnings())
      await corrected?.mark(tx, rows.loadId)
      // The load keeps its name, whatever was read anew for it.
      await tx.query('select from loads where id = $1 for update', [load.id])
      await markGone(tx, [load.id])
      await tx.query('update loads set uuid = gen_random_uuid() where id = $1', [load.id])
      await tx.query(`update loads set uuid = $2, questions = '[]' where id = $1`, [
        rows.loadId,
        load.uuid,
      ])
      await publishRows(tx, parts, open, rows)
      await work.seal(tx, source.enterpriseId)
    })
    return { isPublished: true }
  })
}

function refuseOpenHeaders({ questions }: Mapping): void {
  const open = questions.filter(({ header }) => header !== undefined)
  if (open.length > 0) throw openQuestions(open)
}
