import type { Batch } from '../../core/batch.ts'
import { EngineError } from '../../core/errors.ts'
import { fileMessages } from '../../core/file-messages.ts'
import type { ByteFlow, Input } from '../../core/input.ts'
import type { Findings, ReadContext, Reading } from '../../core/reader.ts'
import { withHead } from '../../input/flows/byte-flow.ts'
import type { PartFlow } from '../excel/archive/open-archive.ts'
import { toUtf8 } from '../excel/xml/to-utf8.ts'
import { XmlScanner, type XmlHandler } from '../excel/xml/xml-scanner.ts'
import { openJson } from '../json/open-json.ts'
import { RecordSearch } from './find-record.ts'
import { inOwnWords } from './in-own-words.ts'
import { recordMessages } from './record-messages.ts'
import { ATTRIBUTE, RecordWriter } from './record-writer.ts'

interface XmlOptions {
  readonly path?: string
}

/** Records become JSON objects while they are read, and are then read like those of a JSON file. */
export async function openRecordsOfXml(
  input: Input,
  context: ReadContext<XmlOptions>,
): Promise<Reading> {
  const { head } = input
  const { limits } = context
  if (head.bytes.length === 0) throw new EngineError(fileMessages.empty(), { kind: 'empty' })
  const path = context.options.path ?? (await pathOfRecord(head.bytes))
  const records = await RecordFlow.open(input, path, limits.cellBytes)
  const first = await records.next()
  if (first === null) throw noElement(path)
  const asJson: Input = {
    ...input,
    head: { bytes: first, isWhole: false, members: null },
    rest: () => records,
    get bytesRead() {
      return input.bytesRead
    },
  }
  const { path: _, ...options } = context.options
  const place = { kind: 'documents', many: true } as const
  return new XmlReading(await openJson(asJson, { ...context, options }, place), path)
}

const noElement = (path: string) =>
  new EngineError(recordMessages.noElement({ path }), { kind: 'options', pointer: '/path' })

/** By the first bytes, which may end anywhere. */
async function pathOfRecord(head: Buffer): Promise<string> {
  const search = new RecordSearch()
  try {
    const text = await toUtf8(partOf(withHead(head, NOTHING)))
    const scanner = new XmlScanner(search, 'the file')
    const bytes = await text.next()
    if (bytes !== null) scanner.feed(bytes)
    scanner.run()
  } catch (error) {
    throw inOwnWords(error)
  }
  return `/${search.path}`
}

const NOTHING: ByteFlow = { next: async () => null, close: async () => undefined }

/** The file as a part of itself. */
function partOf(flow: ByteFlow): PartFlow {
  return {
    part: 'the file',
    bytesRead: 0,
    next: () => flow.next(),
    close: () => flow.close(),
  }
}

/** XML on one side, a JSON object a record on the other. */
class RecordFlow implements ByteFlow {
  readonly #text: ByteFlow
  readonly #scanner: XmlScanner
  readonly #writer: RecordWriter
  readonly #path: string
  #hasEnded = false

  private constructor(text: ByteFlow, path: string, mostBytes: number) {
    this.#text = text
    this.#path = path
    this.#writer = new RecordWriter(path, mostBytes, () => this.#scanner.line)
    this.#scanner = new XmlScanner(this.#writer satisfies XmlHandler, 'the file')
  }

  static async open(input: Input, path: string, mostBytes: number): Promise<RecordFlow> {
    const bytes = withHead(input.head.bytes, input.rest())
    try {
      return new RecordFlow(await toUtf8(partOf(bytes)), path, mostBytes)
    } catch (error) {
      throw inOwnWords(error)
    }
  }

  async next(): Promise<Buffer | null> {
    try {
      while (!this.#hasEnded) {
        const chunk = await this.#text.next()
        if (chunk === null) {
          this.#hasEnded = true
          this.#scanner.finish()
          if (this.#writer.records === 0) throw noElement(this.#path)
          break
        }
        this.#scanner.feed(chunk)
        this.#scanner.run()
        const written = this.#writer.take()
        if (written.length > 0) return written
      }
      return null
    } catch (error) {
      throw inOwnWords(error)
    }
  }

  close(): Promise<void> {
    return this.#text.close()
  }
}

/** The reading of the objects, which says that they were XML. */
class XmlReading implements Reading {
  readonly reader = 'xml-records'
  readonly headersGrow = true
  readonly layout = { kind: 'records' } as const
  readonly #records: Reading
  readonly #path: string
  #headers: readonly (string | null)[] = []

  constructor(records: Reading, path: string) {
    this.#records = records
    this.#path = path
  }

  /** An attribute is called like a child: where there are both, their columns have the same name. */
  get headers(): Reading['headers'] {
    const { headers } = this.#records
    if (headers.length !== this.#headers.length) this.#headers = headers.map(withoutMark)
    return this.#headers
  }

  next(): Promise<Batch | null> {
    return this.#records.next()
  }

  recycle(batch: Batch): void {
    this.#records.recycle?.(batch)
  }

  rawRow(batch: Batch, row: number): string {
    return this.#records.rawRow(batch, row)
  }

  place(): null {
    return null
  }

  describe(): Findings {
    return { dialect: { path: this.#path }, repaired: {} }
  }
}

const withoutMark = (header: string | null) =>
  header?.startsWith(ATTRIBUTE) === true ? header.slice(ATTRIBUTE.length) : header
