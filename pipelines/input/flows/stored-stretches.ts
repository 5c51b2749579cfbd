import type { InputFile, InputStretches } from '../../core/input.ts'
import { createScratchFile, type ScratchFile } from '../../core/scratch-file.ts'
import type { ByteSource } from '../../core/source.ts'
import { closeFd, readAt, writeAll } from './descriptors.ts'
import { openStream } from './open-bytes.ts'

/** Limits a file whose parts overlap, so that the same bytes would be fetched again and again. */
const MOST_TIMES_BROUGHT = 2

type StoredSource = ByteSource & Required<Pick<ByteSource, 'openRange' | 'size'>>

/** Null if the bytes are on this machine, or cannot be fetched by ranges. */
export function storedSource(source: ByteSource): StoredSource | null {
  const { openRange, size } = source
  if (source.path !== undefined || openRange === undefined || size === undefined) return null
  return { ...source, openRange, size }
}

/** For a file that is already here as a whole. */
export const inOneStretch = (file: InputFile): InputStretches => ({
  ...file,
  bring: async () => undefined,
})

interface Stretch {
  readonly from: number
  readonly to: number
  readonly scratch: ScratchFile
}

/** Stored bytes: one stretch of them is in a local file, others are fetched as they are needed. */
export class StoredStretches implements InputStretches {
  readonly size: number
  readonly sourceBytes: number
  readonly #source: StoredSource
  readonly #tempDir: string
  readonly #signal: AbortSignal
  #stretch: Stretch | null = null
  #broughtBytes = 0

  constructor(source: StoredSource, tempDir: string, signal: AbortSignal) {
    this.#source = source
    this.#tempDir = tempDir
    this.#signal = signal
    this.size = source.size
    this.sourceBytes = source.size
  }

  async bring(from: number, to: number): Promise<void> {
    if (to <= from || this.#holds(from, to)) return
    const isAgain = this.#broughtBytes + to - from > MOST_TIMES_BROUGHT * this.size
    await this.#bring(isAgain ? 0 : from, isAgain ? this.size : to)
  }

  async read(from: number, length: number): Promise<Buffer> {
    const to = Math.min(from + length, this.size)
    if (to <= from) return Buffer.alloc(0)
    const stretch = this.#stretch
    if (stretch !== null && this.#holds(from, to)) {
      return await readAt(stretch.scratch.fd, from - stretch.from, to - from)
    }
    const parts: Buffer[] = []
    await this.#each(from, to, async (bytes) => void parts.push(Buffer.from(bytes)))
    return Buffer.concat(parts)
  }

  async close(): Promise<void> {
    const stretch = this.#stretch
    this.#stretch = null
    if (stretch !== null) await closeScratch(stretch.scratch)
  }

  #holds(from: number, to: number): boolean {
    return this.#stretch !== null && this.#stretch.from <= from && to <= this.#stretch.to
  }

  async #bring(from: number, to: number): Promise<void> {
    await this.close()
    const scratch = createScratchFile(this.#tempDir)
    try {
      await this.#each(from, to, (bytes) => writeAll(scratch.fd, bytes))
    } catch (error) {
      await closeScratch(scratch)
      throw error
    }
    this.#broughtBytes += to - from
    this.#stretch = { from, to, scratch }
  }

  async #each(from: number, to: number, take: (bytes: Buffer) => Promise<void>): Promise<void> {
    const open = (signal: AbortSignal) => this.#source.openRange(from, to, signal)
    const flow = await openStream({ ...this.#source, open }, this.#signal)
    try {
      for (let bytes = await flow.next(); bytes !== null; bytes = await flow.next()) {
        await take(bytes)
      }
    } finally {
      await flow.close()
    }
  }
}

async function closeScratch({ fd, remove }: ScratchFile): Promise<void> {
  await closeFd(fd)
  remove()
}
