import { fileMessages } from './file-messages.ts'
import type { Message } from './message.ts'
import type { Remedy, UntriedRemedy } from './remedy.ts'

/**
 * Everything the engine refuses, as data a caller can show: what is wrong, where, with which value.
 * `kind` is stable; callers translate it once at their own boundary.
 */
export type EngineProblem =
  /** Cells that do not fit the type they are held to. */
  | { kind: 'cells'; errors: readonly CellError[]; total: number; byRule: readonly RuleCount[] }
  /** The input's own syntax is broken: ragged row, unclosed quote, truncated archive, bad JSON. */
  | {
      kind: 'structure'
      line?: number
      row?: number
      offset?: number
      place?: string
      /** Everything that is wrong with the rows, if they could be read to the end. */
      all?: { errors: readonly CellError[]; total: number; byRule: readonly RuleCount[] }
    }
  /** An option names something that does not exist or does not go with the input. */
  | { kind: 'options'; pointer: string }
  /** The format is known and refused, or not recognised at all. */
  | { kind: 'format' }
  /** Not a byte, or not a column. */
  | { kind: 'empty' }
  /** A bound was reached: columns, cell length, expansion, nesting, entries. */
  | { kind: 'limit'; limit: string; line?: number; row?: number; place?: string }

export interface CellError {
  /** Data row, counted from 1. */
  readonly row: number
  /** Line of the file, counted from 1; absent where the source has no lines. */
  readonly line?: number
  /** `Sheet!Cell` where the source is a workbook. */
  readonly place?: string
  readonly column: string
  readonly value: string
  readonly message: Message
  /** The rule that it breaks; absent: it does not fit its type. */
  readonly rule?: string
}

/** How many values or rows break a rule, by the name of the rule. */
export interface RuleCount {
  readonly rule: string
  readonly count: number
}

/** How many cells are named one by one; the total is counted over the whole input all the same. */
export const CELL_ERRORS_SHOWN = 100

interface Advice {
  readonly remedies?: readonly Remedy[] | null
  readonly proposals?: readonly UntriedRemedy[]
}

export class EngineError extends Error {
  override readonly name = 'EngineError'
  /** What is wrong, for people; `message` is the same in English, for logs. */
  readonly text: Message
  readonly problem: EngineProblem
  /** What would let the input load; null if nobody has looked for it. */
  readonly remedies: readonly Remedy[] | null
  /** What whoever refuses it would try. */
  readonly proposals: readonly UntriedRemedy[]

  constructor(
    text: Message,
    problem: EngineProblem,
    { remedies = null, proposals = [], ...options }: Advice & ErrorOptions = {},
  ) {
    super(String(text), options)
    this.text = text
    this.problem = problem
    this.remedies = remedies
    this.proposals = proposals
  }

  /** The same refusal with what would let the input load. */
  with(remedies: readonly Remedy[]): EngineError {
    return new EngineError(this.text, this.problem, { remedies, cause: this })
  }
}

/**
 * The only thing wrong with the row is its length, for a caller that set a limit; the rows before
 * it were returned.
 */
export class OpenRowTooLongError extends Error {
  override readonly name = 'OpenRowTooLongError'
}

export const onlyWhiteSpace = (): EngineError =>
  new EngineError(fileMessages.onlyWhiteSpace(), { kind: 'empty' })
