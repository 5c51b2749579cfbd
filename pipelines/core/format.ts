import type { Static, TObject, TSchema } from 'typebox'

import type { Input, InputHead } from './input.ts'
import type { Messages } from './message.ts'
import type { ReadContext, Reading } from './reader.ts'

/**
 * The format that is surest of an input reads it; among equals, the first in the list. A format
 * that the request names reads it anyway, unless it says `no`, or another is certain and it is
 * not.
 */
export type Certainty = 'no' | 'perhaps' | 'likely' | 'certainly'

/** What files of one kind show at their beginning: one of these. */
export interface Signs {
  /** The first bytes, in hexadecimal. */
  readonly starts?: readonly string[]
  readonly holds?: { readonly at: number; readonly word: string }
  /** Patterns that the beginning matches, all of them, where it is text of any encoding. */
  readonly reads?: readonly RegExp[]
  /** Names of files in a zip, in lower case. */
  readonly members?: readonly string[]
}

/** The options that a format offers for its files, by name. */
export type DeclaredOptions = Readonly<Record<string, TSchema>>

/** All of them are optional. */
export type OptionsOf<Declared extends DeclaredOptions> = Partial<Static<TObject<Declared>>>

/**
 * A kind of file: how to recognise it by its first bytes, which options it has, and who reads it.
 * This is all that the rest of the code knows of a format.
 */
export interface Format<Options extends DeclaredOptions = DeclaredOptions> {
  /** Its name in the option `format`. */
  readonly name: string
  /** The type that its sources are stored as: `CSV`, `EXCEL` ... Formats may share one. */
  readonly sourceType: string
  /**
   * Its options, in addition to those that every format has. Formats that share an option declare
   * it with the same object.
   */
  readonly options: Options
  /** Its messages. Formats that share messages name the same list. */
  readonly messages?: readonly Messages[]
  /**
   * How sure the format is, from the first bytes, that it can read the input. Signs make it certain,
   * and are looked for at once for all formats.
   */
  readonly recognises: Signs | ((head: InputHead) => Certainty)
  /** The input belongs to whoever opened it, and is closed by them after the reading. */
  open(input: Input, context: ReadContext<OptionsOf<Options>>): Promise<Reading>
}

/** Gives `open` its options with their types, which only the format itself knows. */
export function defineFormat<const Options extends DeclaredOptions>(
  format: Format<Options>,
): Format {
  return format
}
