import type { Message } from '../core/message.ts'
import type { CommonOptions, IngestOptions } from '../core/options.ts'
import { MOST_REMEDIES, type Remedy } from '../core/remedy.ts'
import { DatePattern } from '../dates/date-pattern.ts'
import { USUAL_PATTERNS } from '../dates/usual-patterns.ts'
import type { DecidedColumn } from './decide-table.ts'
import { remedyMessages } from './remedy-messages.ts'
import { withColumns } from './with-columns.ts'

/** The cells because of which a load is refused, as far as remedies are judged by them. */
interface InvalidValues {
  /** How often each value occurs, by column; of very many different ones only the first. */
  readonly byColumn: ReadonlyMap<string, ReadonlyMap<string, number>>
  readonly cells: number
  readonly rows: number
}

export interface RefusedCells {
  readonly invalid: InvalidValues
  readonly columns: readonly DecidedColumn[]
  readonly options: CommonOptions
  /** False: rows are added to a table, whose types are not to be changed. */
  readonly isNew: boolean
}

/** Options that would do, and how many of the cells would still not fit. */
interface Proposal {
  readonly options: IngestOptions
  readonly message: Message
  readonly leaves: number
}

/** Each proposes what it can do about the cells, and tells what it leaves. */
const CELL_REMEDIES: readonly ((refused: RefusedCells) => Proposal | null)[] = [
  asNulls,
  byPattern,
  asText,
  leavingRowsOut,
]

/**
 * Options that would let the rows load, judged on every cell that does not fit. What a remedy leaves
 * goes to the rejects, so that the file loads in any case.
 */
export function cellRemedies(refused: RefusedCells): readonly Remedy[] {
  const { cells, rows } = refused.invalid
  return CELL_REMEDIES.flatMap((propose) => propose(refused) ?? [])
    .filter(({ options, leaves }) => leaves < cells || options.onInvalid === 'skip')
    .map(({ options: changed, message, leaves }) => {
      const options = { ...refused.options, ...changed }
      if (leaves === 0 || changed.onInvalid === 'skip') return { options, message, leaves }
      const left = Math.min(leaves, rows)
      return {
        options: { ...options, onInvalid: 'skip' as const },
        message: remedyMessages.andSkip({ first: message, rows: left }),
        leaves: left,
      }
    })
    .slice(0, MOST_REMEDIES)
}

/** More values than this are no words for nothing, but values of another kind. */
const MOST_WORDS = 8
const LONGEST_WORD = 60
/** Words, and dates of zeros; a value with other digits says something. */
const SAYS_NOTHING = /^[^1-9]+$/u

function asNulls({ invalid, options }: RefusedCells): Proposal | null {
  const counts = new Map<string, number>()
  for (const values of invalid.byColumn.values()) {
    for (const [value, count] of values) {
      const isWord = value.length <= LONGEST_WORD && SAYS_NOTHING.test(value) && value.trim() !== ''
      if (isWord) counts.set(value.trim(), (counts.get(value.trim()) ?? 0) + count)
    }
  }
  const commonest = [...counts].toSorted((a, b) => b[1] - a[1]).slice(0, MOST_WORDS)
  if (commonest.length === 0) return null
  const values = commonest.map(([value]) => value)
  const told = commonest.reduce((sum, [, count]) => sum + count, 0)
  const { nullValues = [] } = options
  return {
    options: { nullValues: [...new Set([...nullValues, ...values])] },
    message: remedyMessages.nullValues({ values }),
    leaves: invalid.cells - told,
  }
}

/** The pattern that reads most of the dates of the column that has most of the invalid ones. */
function byPattern({ invalid, columns, options }: RefusedCells): Proposal | null {
  const dates = columns.filter(
    ({ name, decision }) =>
      decision.type === 'date' && decision.pattern === undefined && invalid.byColumn.has(name),
  )
  const found = dates
    .flatMap(({ name, evidence }) => {
      const values = invalid.byColumn.get(name)!
      const { fittingPattern } = evidence
      const patterns = fittingPattern === undefined ? USUAL_PATTERNS : [fittingPattern]
      return patterns.map((pattern) => ({ name, pattern, read: readBy(pattern, values) }))
    })
    .toSorted((a, b) => b.read - a.read)[0]
  if (found === undefined || found.read === 0) return null
  const { name, pattern, read } = found
  return {
    options: withColumns(options, { name, type: 'date', pattern }),
    message: remedyMessages.pattern({ name, pattern }),
    leaves: invalid.cells - read,
  }
}

function readBy(pattern: string, values: ReadonlyMap<string, number>): number {
  const reader = new DatePattern(pattern)
  let read = 0
  for (const [value, count] of values) {
    const bytes = Buffer.from(value.trim())
    if (reader.read(bytes, 0, bytes.length)) read += count
  }
  return read
}

/** Text takes every value but one that cannot be stored at all. */
function asText({ invalid, columns, options, isNew }: RefusedCells): Proposal | null {
  if (!isNew) return null
  const names = columns
    .filter(({ name, decision }) => decision.type !== 'text' && invalid.byColumn.has(name))
    .map(({ name }) => name)
  if (names.length === 0) return null
  const kept = names.map((name) => ({ name, type: 'text' as const }))
  const taken = names.reduce((sum, name) => sum + countOf(invalid.byColumn.get(name)!), 0)
  return {
    options: withColumns(options, ...kept),
    message: remedyMessages.asText({ names }),
    leaves: invalid.cells - taken,
  }
}

const countOf = (values: ReadonlyMap<string, number>) =>
  [...values.values()].reduce((sum, count) => sum + count, 0)

function leavingRowsOut({ invalid: { rows } }: RefusedCells): Proposal {
  return { options: { onInvalid: 'skip' }, message: remedyMessages.skip({ rows }), leaves: rows }
}
