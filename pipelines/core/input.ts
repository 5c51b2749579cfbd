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
  /** Takes back bytes, or a part of them, that are no longer needed, so that their memory is reused. */
  release?(bytes: Buffer): void
  /** May be called at any time, also twice, and also while `next` is pending. */
  close(): Promise<void>
}

export interface CountedFlow extends ByteFlow {
  readonly bytesRead: number
}

/** The beginning of an input, by which everything is judged that is judged by first bytes. */
export interface InputHead {
  /** The first 64 KiB, or everything if there is less, unpacked. */
  readonly bytes: Buffer
  /** Whether this is everything. */
  readonly isWhole: boolean
  /** The names of all files in a zip, such as a workbook; null if the input is not a zip. */
  readonly members: readonly string[] | null
}

/**
 * One input, opened and inspected once, and unpacked. A reader uses one of three: its text or
 * bytes in order (`rest`, after the head), the entries of its archive, or the file (`file`,
 * `stretches`). Whoever opened it closes it.
 */
export interface Input {
  readonly head: InputHead
  /** The bytes after the head. */
  rest(): ByteFlow
  /** Set if the input is a zip that is a format of its own. */
  readonly archive: Archive | null
  /** For formats that need random access: the source's own file, or a copy of its stream. */
  file(): Promise<InputFile>
  /**
   * For formats that announce what they read next: a source that supports ranges is then not
   * copied as a whole.
   */
  stretches(): Promise<InputStretches>
  /** How many source bytes were read so far, as they came, before unpacking. */
  readonly bytesRead: number
  /** How many source bytes there are, as far as is known: at least those that were read. */
  readonly sentBytes: number
  /** The packing that was removed, outermost first. */
  readonly packing: readonly Packing[]
  /** The name of the file inside the zip that packed it. */
  readonly member: string | null
  /** The engine's limits, minus what unpacking has used up. */
  readonly limits: EngineLimits
  close(): Promise<void>
}

export type Packing = 'gzip' | 'zip'

export interface InputFile {
  readonly size: number
  /** How many bytes were sent for it, still packed: the total that progress counts up to. */
  readonly sourceBytes: number
  /** Fewer bytes than asked for only where the file ends. */
  read(from: number, length: number): Promise<Buffer>
}

export interface InputStretches extends InputFile {
  /**
   * Announces that the next reads are within this range: bytes stored elsewhere are fetched and
   * replace those fetched before.
   */
  bring(from: number, to: number): Promise<void>
}

export interface Archive {
  /** In the order of the archive's directory. */
  readonly entries: readonly ArchiveEntry[]
  /** How many bytes were sent for it, still packed: the total that progress counts up to. */
  readonly sourceBytes: number
}

export interface ArchiveEntry {
  readonly name: string
  readonly compressedBytes: number
  /** As the archive states; `open` enforces it. */
  readonly bytes: number
  /** Its bytes: unpacked, checked and limited. */
  open(wording?: ArchiveWording): Promise<CountedFlow>
  /** For whoever copies it into another archive. */
  readonly packed: PackedEntry
}

/** An entry as it is stored, which nobody unpacks. */
export interface PackedEntry {
  readonly name: string
  readonly method: number
  readonly crc: number
  readonly compressedBytes: number
  readonly bytes: number
  open(): Promise<AsyncIterable<Buffer>>
}

/** How errors refer to an archive: people who sent a workbook do not know that it is a zip. */
export interface ArchiveWording {
  /** `workbook`, `zip archive` ...; in French with its article. */
  readonly noun: Message
  /** What to do about a broken one, as a whole sentence. */
  readonly cure: Message
  encrypted(): EngineError
}
