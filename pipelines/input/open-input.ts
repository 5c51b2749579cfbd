import { EngineError } from '../core/errors.ts'
import { packingMessages } from './flows/packing-messages.ts'
import type { ArchiveEntry, Input, InputFile, InputHead, Packing } from '../core/input.ts'
import type { EngineLimits } from '../core/limits.ts'
import { shownName } from '../core/cut-text.ts'
import type { ByteSource } from '../core/source.ts'
import { onlyFile } from './archive/only-file.ts'
import { isZip, openZip, type OpenZip } from './archive/open-zip.ts'
import { DOCUMENT_WORDING, ZIP_WORDING } from './archive/wording.ts'
import { withHead } from './flows/byte-flow.ts'
import { closeFd, readAt } from './flows/descriptors.ts'
import { gunzip, isGzip } from './flows/gunzip.ts'
import { inOneStretch, StoredStretches, storedSource } from './flows/stored-stretches.ts'
import { type OpenedBytes, openFlow, openSource } from './flows/open-bytes.ts'

interface InputContext {
  readonly limits: EngineLimits
  /** Where a stream is copied to if a file is needed. */
  readonly tempDir: string
  readonly signal: AbortSignal
}

/** Tells a zip that is a format of its own, such as a workbook, from one that only packs a file. */
type IsFormat = (head: InputHead) => boolean

/**
 * Opens a source once and looks at its first bytes once. Removes a gzip, and a zip around one
 * file, each at most once: deeper packing is most likely an attack, and is refused.
 */
export async function openInput(
  source: ByteSource,
  context: InputContext,
  isFormat: IsFormat,
): Promise<Input> {
  const unpacking = new Unpacking(context, isFormat)
  try {
    return await unpacking.run(source)
  } catch (error) {
    await unpacking.close()
    throw error
  }
}

interface ZipOfInput {
  readonly zip: OpenZip
  readonly head: InputHead
}

class Unpacking {
  readonly #context: InputContext
  readonly #isFormat: IsFormat
  readonly #closers: (() => Promise<void> | void)[] = []
  readonly #packing: Packing[] = []
  #member: string | null = null
  /** How many bytes were sent; null until all of them have arrived. */
  #sourceBytes: number | null = null
  #limits: EngineLimits

  constructor(context: InputContext, isFormat: IsFormat) {
    this.#context = context
    this.#isFormat = isFormat
    this.#limits = context.limits
  }

  async run(source: ByteSource): Promise<Input> {
    const sent = this.#own(await openSource(source, this.#context.signal))
    const outer = isGzip(sent.head) ? await this.#gunzipped(sent) : sent
    if (!isZip(outer.head)) return this.#input(source, outer, null, () => sent.bytesRead)
    const packed = await this.#openZip(outer)
    if (this.#isFormat(packed.head)) return this.#input(source, outer, packed, () => sent.bytesRead)
    const entry = onlyFile(packed.zip.entries)
    const inner = await this.#openEntry(entry)
    const bytesRead = () => this.#sourceShare(inner.bytesRead, entry.compressedBytes)
    if (isGzip(inner.head)) throw packedTwice(this.#member, 'gzip')
    if (!isZip(inner.head)) return this.#input(source, inner, null, bytesRead)
    const format = await this.#openZip(inner)
    if (!this.#isFormat(format.head)) throw packedTwice(this.#member, 'a zip archive')
    return this.#input(source, inner, format, bytesRead)
  }

  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).toReversed()) await close()
  }

  #input(
    source: ByteSource,
    bytes: OpenedBytes,
    archive: ZipOfInput | null,
    bytesRead: () => number,
  ): Input {
    const head = archive?.head ?? headOf(bytes, null)
    let file: Promise<InputFile> | null = null
    let known = archive === null ? null : this.#sourceBytes
    const openFile = async () => {
      const opened = await (file ??= this.#file(bytes))
      known = opened.sourceBytes
      return opened
    }
    return {
      head,
      archive: archive && {
        entries: archive.zip.entries,
        sourceBytes: this.#sourceBytes!,
      },
      rest: () => bytes.rest(),
      file: openFile,
      stretches: async () => {
        const stored = archive === null && this.#packing.length === 0 ? storedSource(source) : null
        if (stored === null) return inOneStretch(await openFile())
        await bytes.close()
        const { tempDir, signal } = this.#context
        const stretches = new StoredStretches(stored, tempDir, signal)
        this.#closers.push(() => stretches.close())
        known = stretches.sourceBytes
        return stretches
      },
      get bytesRead() {
        return bytesRead()
      },
      get sentBytes() {
        return known ?? bytesRead()
      },
      packing: this.#packing,
      member: this.#member,
      limits: this.#limits,
      close: () => this.close(),
    }
  }

  #own(bytes: OpenedBytes): OpenedBytes {
    this.#closers.push(() => bytes.close())
    return bytes
  }

  async #gunzipped(packed: OpenedBytes): Promise<OpenedBytes> {
    this.#packing.push('gzip')
    return this.#own(
      await openFlow(await gunzip(withHead(packed.head, packed.rest()), this.#limits)),
    )
  }

  /** By then the archive is a file, and its directory has been read. */
  async #openZip(bytes: OpenedBytes): Promise<ZipOfInput> {
    const { signal } = this.#context
    const { fd } = await this.#takeFile(bytes)
    const firstHead = headOf(bytes, [firstName(bytes.head)])
    const wording = this.#isFormat(firstHead) ? DOCUMENT_WORDING : ZIP_WORDING
    const zip = await openZip(fd, { limits: this.#limits, signal, wording })
    this.#closers.push(() => zip.close())
    const names = zip.entries.map(({ name }) => name)
    return { zip, head: headOf(bytes, names) }
  }

  async #file(bytes: OpenedBytes): Promise<InputFile> {
    const { fd, size } = await this.#takeFile(bytes)
    this.#closers.push(() => closeFd(fd))
    return {
      size,
      sourceBytes: this.#sourceBytes!,
      read: (from, length) => readAt(fd, from, length),
    }
  }

  /** Once everything has arrived, it is known how much was sent, and how far it expanded. */
  async #takeFile(bytes: OpenedBytes): Promise<{ fd: number; size: number }> {
    const { fd, size, remove } = await bytes.toFile(this.#context.tempDir)
    this.#closers.push(remove)
    const isFirst = this.#sourceBytes === null
    this.#sourceBytes ??= this.#packing.length === 0 ? size : bytes.bytesRead
    if (isFirst && this.#packing.length > 0) this.#spend(bytes.bytesRead, size)
    return { fd, size }
  }

  /** Decompressed while it is read. */
  async #openEntry(entry: ArchiveEntry): Promise<OpenedBytes> {
    this.#packing.push('zip')
    this.#member = shownName(entry.name)
    const inflated = await entry.open()
    this.#spend(entry.compressedBytes, entry.bytes)
    return this.#own(await openFlow(inflated))
  }

  /** The ratio applies to all packing of the input together, not to each layer anew. */
  #spend(packedBytes: number, unpackedBytes: number): void {
    const left = (this.#limits.expansionRatio * packedBytes) / Math.max(unpackedBytes, packedBytes)
    this.#limits = { ...this.#limits, expansionRatio: Math.max(left, 1) }
  }

  /** The archive contains little but this entry, so its share represents that of everything sent. */
  #sourceShare(read: number, of: number): number {
    return of === 0 ? 0 : Math.round((read / of) * this.#sourceBytes!)
  }
}

function headOf({ head, isWhole }: OpenedBytes, members: readonly string[] | null): InputHead {
  return { bytes: head, isWhole, members }
}

/** The name of the first entry, which says what an archive is if its directory is lost. */
function firstName(head: Buffer): string {
  return head.length < 30 ? '' : head.toString('latin1', 30, 30 + head.readUInt16LE(26))
}

function packedTwice(member: string | null, packing: string): EngineError {
  return new EngineError(packingMessages.packedTwice({ member: String(member), packing }), {
    kind: 'format',
  })
}
