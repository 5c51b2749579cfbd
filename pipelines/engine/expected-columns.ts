import { EngineError } from '../core/errors.ts'
import type { CommonOptions } from '../core/options.ts'
import { refusalMessages } from './refusal-messages.ts'
import type { Message } from '../core/message.ts'

interface ExpectedColumn {
  /** Normalised header. */
  readonly name: string
  readonly refusal: EngineError
}

/**
 * The columns that the request names: those whose type it gives, and the key. Each has to be there in
 * the end. Where headers may still come, the end is that of the input.
 */
export class ExpectedColumns {
  readonly #expected: readonly ExpectedColumn[]

  constructor({ columns = [] }: CommonOptions, key: string | null) {
    const given = columns.map(({ name }, at) => ({
      name,
      refusal: refused(refusalMessages.noColumn({ name }), `/columns/${at}/name`),
    }))
    if (key !== null) {
      const refusal = refused(refusalMessages.noKeyColumn({ name: key }), '/mode/key')
      given.push({ name: key, refusal })
    }
    this.#expected = given
  }

  /** Names that are not among these. */
  missing(columns: readonly { readonly name: string }[]): readonly string[] {
    return this.#missing(columns).map(({ name }) => name)
  }

  /** Refuses the first that is not among these. */
  require(columns: readonly { readonly name: string }[]): void {
    const [missing] = this.#missing(columns)
    if (missing !== undefined) throw missing.refusal
  }

  #missing(columns: readonly { readonly name: string }[]): readonly ExpectedColumn[] {
    const known = new Set(columns.map(({ name }) => name))
    return this.#expected.filter(({ name }) => !known.has(name))
  }
}

function refused(message: Message, pointer: string): EngineError {
  return new EngineError(message, { kind: 'options', pointer })
}
