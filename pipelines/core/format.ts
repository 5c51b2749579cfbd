import type { Reader } from './reader.ts'

/** A kind of file: how to tell it by its first bytes, and who reads it. */
export interface Format {
  /** What the option `format` calls it. */
  readonly name: string
  readonly reader: Reader
  recognises(head: InputHead): boolean
}

/** The beginning of an input: a few thousand bytes, or all there are. */
export interface InputHead {
  /** As they came. */
  readonly bytes: Buffer
  /** What a gzip unpacks to; the same bytes where there is none. */
  readonly unpacked: Buffer
}
