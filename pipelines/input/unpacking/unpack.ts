import { open } from 'node:fs'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'

import { EngineError } from '../../core/errors.ts'
import type { InputHead } from '../../core/format.ts'
import type { EngineLimits } from '../../core/limits.ts'
import type { ReadContext } from '../../core/reader.ts'
import type { ByteSource } from '../../core/source.ts'
import { isZip, openZip, type OpenZip, type ZipEntry } from '../archive/open-zip.ts'
import { DOCUMENT_WORDING, ZIP_WORDING } from '../archive/wording.ts'
import type { ByteFlow } from '../byte-flow.ts'
import { openFlow } from '../open-flow.ts'
import { gunzip, isGzip } from '../gunzip.ts'
import { isOle2 } from '../ole2.ts'
import { begin, type Begun } from './begin.ts'
import { onlyFile, shownName } from './only-file.ts'
import { spool, type SpooledFile } from './spool.ts'

const openFd = promisify(open)

/** An input without what it was packed in. Text in gzip stays so: its reader unpacks as it reads. */
export interface UnpackedInput {
  readonly head: InputHead
  readonly source: ByteSource
  /** What was taken off, outermost first. */
  readonly packing: readonly ('gzip' | 'zip')[]
  /** The file inside a zip. */
  readonly member: string | null
  /** What came in has so many bytes; null where it was not unpacked, and its reader counts. */
  readonly packedBytes: number | null
  /** The ratio holds over everything that it was packed in, not for each of them anew. */
  readonly limits: EngineLimits
  /** To be called once the reader has opened it. */
  opened(): Promise<void>
  close(): Promise<void>
}

/** Tells a zip that is a format of its own, such as a workbook, from one that only packs a file. */
export type IsFormat = (head: InputHead) => boolean

/**
 * Takes off a gzip around an archive, and a zip around one file, each at most once: who packs
 * deeper than that sends a riddle or a bomb.
 */
export async function unpack(
  source: ByteSource,
  context: ReadContext,
  isFormat: IsFormat,
): Promise<UnpackedInput> {
  const unpacking = new Unpacking(context, isFormat)
  try {
    return await unpacking.run(source)
  } catch (error) {
    await unpacking.close()
    throw error
  }
}

class Unpacking {
  readonly #context: ReadContext
  readonly #isFormat: IsFormat
  readonly #closers: (() => Promise<void> | void)[] = []
  readonly #files: SpooledFile[] = []
  readonly #packing: ('gzip' | 'zip')[] = []
  #member: string | null = null
  #packedBytes: number | null = null
  #limits: EngineLimits

  constructor(context: ReadContext, isFormat: IsFormat) {
    this.#context = context
    this.#isFormat = isFormat
    this.#limits = context.limits
  }

  async run(source: ByteSource): Promise<UnpackedInput> {
    let begun = await this.#begin(source)
    if (isGzip(begun.bytes) && (isZip(begun.unpacked) || isOle2(begun.unpacked))) {
      begun = await this.#begin(await this.#gunzipped(begun.source))
    }
    if (!isZip(begun.bytes)) return this.#unpacked(begun, null)
    const outer = await this.#openZip(begun)
    if (this.#isFormat(outer.head)) return this.#unpacked(outer.begun, outer.head)
    begun = await this.#begin(this.#inside(outer.zip))
    if (isGzip(begun.bytes)) throw packedTwice(this.#member, 'gzip')
    if (!isZip(begun.bytes)) return this.#unpacked(begun, null)
    const inner = await this.#openZip(begun)
    if (!this.#isFormat(inner.head)) throw packedTwice(this.#member, 'a zip archive')
    return this.#unpacked(inner.begun, inner.head)
  }

  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).toReversed()) await close()
  }

  #unpacked({ bytes, unpacked, source }: Begun, head: InputHead | null): UnpackedInput {
    return {
      head: head ?? { bytes, unpacked, members: null },
      source,
      packing: this.#packing,
      member: this.#member,
      packedBytes: this.#packedBytes,
      limits: this.#limits,
      opened: async () => {
        for (const file of this.#files) file.hide()
      },
      close: () => this.close(),
    }
  }

  async #begin(source: ByteSource): Promise<Begun> {
    const begun = await begin(source, this.#context.signal)
    this.#closers.push(() => begun.abandon())
    return begun
  }

  async #gunzipped(source: ByteSource): Promise<ByteSource> {
    const packed = await openFlow(source, this.#context.signal)
    const file = await this.#spool(gunzip(packed, this.#limits))
    this.#packing.push('gzip')
    this.#packedBytes = packed.bytesRead
    this.#spend(packed.bytesRead, file.size)
    return file.source
  }

  /** The archive is a file by then, and its directory is read. */
  async #openZip(packed: Begun): Promise<{ begun: Begun; zip: OpenZip; head: InputHead }> {
    const { signal } = this.#context
    let begun = packed
    if (begun.source.path === undefined) {
      const file = await this.#spool(await openFlow(begun.source, signal))
      begun = { ...begun, source: file.source }
    }
    const fd = await openFd(begun.source.path!, 'r')
    const { bytes } = begun
    const headWith = (members: readonly string[]) => ({ bytes, unpacked: bytes, members })
    const wording = this.#isFormat(headWith([firstName(bytes)])) ? DOCUMENT_WORDING : ZIP_WORDING
    const zip = await openZip(fd, { limits: this.#limits, signal, wording })
    this.#closers.push(() => zip.close())
    return { begun, zip, head: headWith(zip.entries.map(({ fileName }) => fileName)) }
  }

  /** The one file in the archive, as a source of its own: inflated as it is read. */
  #inside(zip: OpenZip): ByteSource {
    const entry = onlyFile(zip.entries)
    this.#packing.push('zip')
    this.#member = shownName(entry.fileName)
    this.#packedBytes ??= zip.size
    return {
      kind: 'bytes',
      name: entry.fileName,
      open: async () => streamOf(await this.#openEntry(zip, entry)),
    }
  }

  async #openEntry(zip: OpenZip, entry: ZipEntry): Promise<ByteFlow> {
    const flow = await zip.open(entry)
    this.#spend(entry.compressedSize, entry.uncompressedSize)
    return flow
  }

  async #spool(flow: ByteFlow): Promise<SpooledFile> {
    const file = await spool(flow, this.#context.tempDir)
    this.#closers.push(() => file.remove())
    this.#files.push(file)
    return file
  }

  #spend(packedBytes: number, unpackedBytes: number): void {
    const left = (this.#limits.expansionRatio * packedBytes) / Math.max(unpackedBytes, packedBytes)
    this.#limits = { ...this.#limits, expansionRatio: Math.max(left, 1) }
  }
}

/** Of the entry that the archive begins with, which tells what it is when its directory is lost. */
function firstName(head: Buffer): string {
  return head.length < 30 ? '' : head.toString('latin1', 30, 30 + head.readUInt16LE(26))
}

function streamOf(flow: ByteFlow): Readable {
  const chunks = async function* () {
    for (let chunk = await flow.next(); chunk !== null; chunk = await flow.next()) yield chunk
  }
  const stream = Readable.from(chunks())
  stream.once('close', () => void flow.close())
  return stream
}

function packedTwice(member: string | null, packing: string): EngineError {
  return new EngineError(
    `The zip archive holds «${member}», which is packed once more (${packing}): unpack it and send the file inside.`,
    { kind: 'format' },
  )
}
