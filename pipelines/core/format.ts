import type { Static, TObject, TSchema } from 'typebox'

import type { Input, InputHead } from './input.ts'
import type { Messages } from './message.ts'
import type { ReadContext, Reading } from './reader.ts'

/**
 * An input is read by the format that is surest of it, of several by the first in the list. A format
 * that the request names reads it all the same, unless it says `no`, or another one is certain and it
 * is not.
 */
export type Certainty = 'no' | 'perhaps' | 'likely' | 'certainly'

/** What a format lets people say about its files, by the names of the options. */
export type DeclaredOptions = Readonly<Record<string, TSchema>>

/** None of them has to be said. */
export type OptionsOf<Declared extends DeclaredOptions> = Partial<Static<TObject<Declared>>>

/**
 * A kind of file: how to tell it by its first bytes, what can be said about it, and who reads it.
 * All that the rest of the house knows of a format stands here.
 */
export interface Format<Options extends DeclaredOptions = DeclaredOptions> {
  /** What the option `format` calls it. */
  readonly name: string
  /** The type that a source made of it is stored as: `CSV`, `EXCEL` ... Formats may share one. */
  readonly sourceType: string
  /**
   * Options that mean something for it, beside those that every format has. Two formats that have
   * an option in common declare it by the same value.
   */
  readonly options: Options
  /** What it says to people. Formats that say the same name the same list. */
  readonly messages?: readonly Messages[]
  /** How sure it is, by the first bytes, that an input is of this kind. */
  recognises(head: InputHead): Certainty
  /** The input stays with whoever opened it, and is closed by them after the reading. */
  open(input: Input, context: ReadContext<OptionsOf<Options>>): Promise<Reading>
}

/** Gives `open` its options with their types, which nobody but the format knows. */
export function defineFormat<const Options extends DeclaredOptions>(
  format: Format<Options>,
): Format {
  return format
}
