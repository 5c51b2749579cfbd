import { EngineError } from '../core/errors.ts'
import { knownNames, type KnownNames } from '../core/known-names.ts'
import type { CommonOptions } from '../core/options.ts'
import { refusalMessages } from './refusal-messages.ts'
import type { Message } from '../core/message.ts'

interface ExpectedColumn {
  /** Normalised header. */
  readonly name: string
  readonly pointer: string
  readonly refusal: (what: { readonly name: string } & KnownNames) => Message
}

/**
 * The columns that the request names: those with a given type, and the key. All of them must exist
 * at the end, which is that of the input if headers may still be added.
 */
export class ExpectedColumns {
  readonly #expected: readonly ExpectedColumn[]

  constructor({ columns = [] }: CommonOptions, key: string | null) {
    const given = columns.map(({ name }, at) => ({
      name,
      pointer: `/columns/${at}/name`,
      refusal: refusalMessages.noColumn,
    }))
    if (key !== null) {
      given.push({ name: key, pointer: '/mode/key', refusal: refusalMessages.noKeyColumn })
    }
    this.#expected = given
  }

  /** Expected names that are not among these columns. */
  missing(columns: readonly { readonly name: string }[]): readonly string[] {
    return this.#missing(columns).map(({ name }) => name)
  }

  /** Refuses the first expected name that is not among these columns, and lists them. */
  require(columns: readonly { readonly name: string }[]): void {
    const [missing] = this.#missing(columns)
    if (missing === undefined) return
    const { name, pointer, refusal } = missing
    const message = refusal({ name, ...knownNames(columns.map((column) => column.name)) })
    throw new EngineError(message, { kind: 'options', pointer })
  }

  #missing(columns: readonly { readonly name: string }[]): readonly ExpectedColumn[] {
    const known = new Set(columns.map(({ name }) => name))
    return this.#expected.filter(({ name }) => !known.has(name))
  }
}
