import type { EngineError } from './errors.ts'
import type { EngineLimits } from './limits.ts'
import type { Message } from './message.ts'

/**
 * Bytes being pulled. Stages wrap one flow in another; nothing is read before it is asked for, so
 * back-pressure needs no code.
 */
export interface ByteFlow {
  /** The next bytes, never empty, or null at the end. */
  next(): Promise<Buffer | null>
  /** Takes back bytes that nobody looks at any more, or a part of them: their memory is used again. */
  release?(bytes: Buffer): void
  /** May be called at any time, also twice, also while `next` is pending. */
  close(): Promise<void>
}

export interface CountedFlow extends ByteFlow {
  readonly bytesRead: number
}

/** What an input begins with. Whatever is judged by first bytes is judged by these. */
export interface InputHead {
  /** The first 64 KiB, or all there are, without what they were packed in. */
  readonly bytes: Buffer
  /** Whether these are all. */
  readonly isWhole: boolean
  /** Names of all files in a zip, such as a workbook is; null where the input is none. */
  readonly members: readonly string[] | null
}

/**
 * One input, opened and looked at once, without what it was packed in. Whoever reads it asks for one
 * of three: its text or bytes in their order (`rest`, behind the head), the entries of its archive,
 * or the file (`file`, `stretches`). It is closed by whoever opened it.
 */
export interface Input {
  readonly head: InputHead
  /** The bytes behind the head. */
  rest(): ByteFlow
  /** Not null where the input is a zip of a format of its own. */
  readonly archive: Archive | null
  /** For formats that are read at random: the source's own file, or a copy of its stream. */
  file(): Promise<InputFile>
  /** For those that announce what they read: a source that can be read by ranges is not copied whole. */
  stretches(): Promise<InputStretches>
  /** Source bytes that were read so far, packed as they came. */
  readonly bytesRead: number
  /** What was taken off, outermost first. */
  readonly packing: readonly Packing[]
  /** The file inside of a zip that packed it. */
  readonly member: string | null
  /** Those of the engine, less what unpacking has used up of them. */
  readonly limits: EngineLimits
  close(): Promise<void>
}

export type Packing = 'gzip' | 'zip'

export interface InputFile {
  readonly size: number
  /** How many bytes were sent for it, packed as it was: what progress counts up to. */
  readonly sourceBytes: number
  /** Fewer bytes than asked for only where the file ends. */
  read(from: number, length: number): Promise<Buffer>
}

export interface InputStretches extends InputFile {
  /** What is read next lies within: bytes that are stored elsewhere are brought here, in the place of the last ones. */
  bring(from: number, to: number): Promise<void>
}

export interface Archive {
  /** In the order of the archive's directory. */
  readonly entries: readonly ArchiveEntry[]
  readonly size: number
  /** How many bytes were sent for it, packed as it was: what progress counts up to. */
  readonly sourceBytes: number
}

export interface ArchiveEntry {
  readonly name: string
  readonly compressedBytes: number
  /** As the archive says; `open` holds it to that. */
  readonly bytes: number
  /** Its bytes, inflated, checked and bounded. */
  open(wording?: ArchiveWording): Promise<CountedFlow>
}

/** How errors speak of an archive: people who sent a workbook do not know that it is a zip. */
export interface ArchiveWording {
  /** `workbook`, `zip archive` ...; in French with its article. */
  readonly noun: Message
  /** What to do about one that is broken: a whole sentence. */
  readonly cure: Message
  encrypted(): EngineError
}
