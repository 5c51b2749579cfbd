import { addAbortSignal } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'

import type { ClientBase } from 'pg'

import {
  brokenOverRows,
  CellValue,
  type ColumnRule,
  cutText,
  judgedRules,
  type Message,
  quoteName,
} from '../../../pipelines/index.ts'
import { copyOut } from '../../db/copy-out.ts'
import { CopiedRowParser, COUNT_BYTES, LENGTH_BYTES } from '../export/copied-rows.ts'
import { brokenRules, type JudgedRows, selectFrom } from '../judge-rows.ts'
import type { TableColumn } from '../table/stored-column.ts'
import { fromSample, type TableState } from './snapshot.ts'

/** A larger table is judged by a sample of about this size. */
export const MOST_ROWS_JUDGED = 100_000
const MOST_EXAMPLES = 5
const SHOWN_CHARACTERS = 200
/** Then others have their turn, also in the middle of a cell: a pattern looks at all of a long one. */
const LONGEST_TURN_MS = 20

export interface BrokenRule {
  readonly rule: string
  readonly count: number
  readonly examples: readonly { readonly value: string; readonly message: Message }[]
}

interface Asked {
  readonly enterpriseId: number
  readonly column: TableColumn
  readonly rules: readonly ColumnRule[]
  readonly signal: AbortSignal
}

/** How many of the rows that are there would break each of the rules, which a load judges in the same way. */
export async function countBroken(
  client: ClientBase,
  state: TableState,
  { enterpriseId, column, rules, signal }: Asked,
): Promise<{ readonly countedRows: number; readonly rules: readonly BrokenRule[] }> {
  const { rowCount } = state
  const percent = rowCount > MOST_ROWS_JUDGED ? (MOST_ROWS_JUDGED / rowCount) * 100 : 100
  const sample = fromSample(state, percent)
  const rows = `select stored.${quoteName(column.column)} ${sample}`
  const copy = copyOut(client, `copy (${rows}) to stdout (format binary)`)
  const { judged, found } = await judgeCells(addAbortSignal(signal, copy), column, rules)
  const counted: BrokenRule[] = []
  for (const [at, rule] of rules.entries()) {
    signal.throwIfAborted()
    const overRows = await overRowsOf(client, `(select stored.* ${sample}) sample`, {
      enterpriseId,
      column,
      rule,
    })
    counted.push(overRows ?? found[at]!)
  }
  return { countedRows: judged, rules: counted }
}

/** Counts the cells that break one rule; one that is asked of all rows together breaks none here. */
function counterOf(given: ColumnRule, { type }: Pick<TableColumn, 'type'>) {
  const [judged] = judgedRules([given], type)
  const examples: { value: string; message: Message }[] = []
  let count = 0
  const add = (shown: () => string) => {
    count++
    if (examples.length >= MOST_EXAMPLES) return
    const value = shown()
    examples.push({ value, message: judged!.broken(value) })
  }
  return {
    /** A piece of a long value at a time. */
    *look(value: CellValue, isThere: boolean): Generator<void> {
      if (judged === undefined) return
      if (!isThere) {
        if (judged.isRequired) add(() => '')
      } else if (!(yield* judged.isKeptByPieces(value)))
        add(() => value.shownUpTo(SHOWN_CHARACTERS))
    },
    get found(): BrokenRule {
      return { rule: judged?.rule ?? '', count, examples }
    },
  }
}

/** One look at each cell of what COPY sends. */
export async function judgeCells(
  pieces: AsyncIterable<Buffer>,
  column: Pick<TableColumn, 'type' | 'sqlType'>,
  rules: readonly ColumnRule[],
): Promise<{ readonly judged: number; readonly found: readonly BrokenRule[] }> {
  const counters = rules.map((rule) => counterOf(rule, column))
  const parser = new CopiedRowParser()
  const value = new CellValue(column.sqlType)
  let judged = 0
  let turnBegan = performance.now()
  for await (const piece of pieces) {
    for (const bytes of parser.takeBytes(piece)) {
      for (let at = 0; at < bytes.length; judged++) {
        const field = at + COUNT_BYTES
        const isThere = value.look(bytes, field)
        for (const counter of counters) {
          for (const _piece of counter.look(value, isThere)) {
            if (performance.now() - turnBegan < LONGEST_TURN_MS) continue
            await nextTurn()
            turnBegan = performance.now()
          }
        }
        at = field + LENGTH_BYTES + Math.max(0, bytes.readInt32BE(field))
      }
    }
  }
  return { judged, found: counters.map((counter) => counter.found) }
}

/** `unique` and `in`; null: any other rule. */
async function overRowsOf(
  client: ClientBase,
  from: string,
  { enterpriseId, column, rule }: Pick<Asked, 'enterpriseId' | 'column'> & { rule: ColumnRule },
): Promise<BrokenRule | null> {
  if (rule.in === undefined && rule.unique !== true) return null
  const rows: JudgedRows = {
    enterpriseId,
    tableId: null,
    select: (columns) => selectFrom(from, columns),
  }
  const asked = [{ rule, columns: [column] }]
  const [broken] = await brokenRules(client, rows, asked, MOST_EXAMPLES)
  const examples = (broken?.first ?? []).map(({ error }) => {
    const value = cutText(error.value, SHOWN_CHARACTERS)
    return { value, message: brokenOverRows(rule, value).message }
  })
  return { rule: brokenOverRows(rule, '').rule, count: broken?.count ?? 0, examples }
}
