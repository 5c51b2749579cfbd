import type { Reader } from './reader.ts'

/** A kind of file: how to tell it by its first bytes, and who reads it. */
export interface Format {
  /** What the option `format` calls it. */
  readonly name: string
  readonly reader: Reader
  recognises(head: InputHead): boolean
  /**
   * Whether it may be this kind where the request says so, though it is not recognised at a glance.
   * Left out: only what is recognised may.
   */
  mayBe?(head: InputHead): boolean
}

/** The beginning of an input: a few thousand bytes, or all there are. */
export interface InputHead {
  /** As they came, or as they stood in the archive that was opened. */
  readonly bytes: Buffer
  /** What a gzip unpacks to; the same bytes where there is none. */
  readonly unpacked: Buffer
  /** Names of all files in a zip, such as a workbook is; null where the input is none. */
  readonly members: readonly string[] | null
}
