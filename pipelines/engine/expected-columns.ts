import { EngineError } from '../core/errors.ts'
import { knownNames, type KnownNames } from '../core/known-names.ts'
import type { TargetColumns } from '../core/engine.ts'
import type { CommonOptions } from '../core/options.ts'
import { kept, type NamedColumn } from './column-names.ts'
import { refusalMessages } from './refusal-messages.ts'
import type { Message } from '../core/message.ts'

interface ExpectedColumn {
  /** Normalised header. */
  readonly name: string
  readonly pointer: string
  /** Whether it is enough that the table has it. */
  readonly mayBeEmpty: boolean
  readonly refusal: (what: { readonly name: string } & KnownNames) => Message
}

/**
 * The columns that the request names: those with a given type, and the key. All of them must exist
 * at the end, which is that of the input if headers may still be added.
 */
export class ExpectedColumns {
  /** The columns that the table has, whether or not the input has them. */
  readonly #known: readonly string[]
  readonly #expected: readonly ExpectedColumn[]

  constructor({ columns = [] }: CommonOptions, key: string | null, target: TargetColumns) {
    this.#known =
      target.kind === 'expected' ? target.expectation.columns.map(({ name }) => name) : []
    const given: ExpectedColumn[] = columns.map(({ name }, at) => ({
      name,
      pointer: `/columns/${at}/name`,
      mayBeEmpty: true,
      refusal: refusalMessages.noColumn,
    }))
    if (key !== null) {
      const refusal = refusalMessages.noKeyColumn
      given.push({ name: key, pointer: '/mode/key', mayBeEmpty: false, refusal })
    }
    this.#expected = given
  }

  /** Expected names that are not among these columns. */
  missing(columns: readonly NamedColumn[]): readonly string[] {
    return this.#missing(columns).map(({ name }) => name)
  }

  /** Refuses the first expected name that is not among these columns, and lists them. */
  require(columns: readonly NamedColumn[]): void {
    const [missing] = this.#missing(columns)
    if (missing === undefined) return
    const { name, pointer, refusal } = missing
    const message = refusal({ name, ...knownNames(columns.map((column) => column.name)) })
    throw new EngineError(message, { kind: 'options', pointer })
  }

  #missing(columns: readonly NamedColumn[]): readonly ExpectedColumn[] {
    const sent = new Set(kept(columns).map(({ name }) => name))
    const known = new Set([...columns.map(({ header }) => header), ...sent, ...this.#known])
    return this.#expected.filter(({ name, mayBeEmpty }) => !(mayBeEmpty ? known : sent).has(name))
  }
}
