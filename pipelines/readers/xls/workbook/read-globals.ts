import { EngineError } from '../../../core/errors.ts'
import type { ReadContext } from '../../../core/reader.ts'
import type { DateSystem } from '../../excel/cells/serial-date.ts'
import { type StyleFormats, styleFormats } from '../../excel/formats/style-formats.ts'
import { NO_STRINGS, type StringStore } from '../../excel/strings/string-store.ts'
import { SHEET_STATES, type SheetState } from '../../excel/sheet/book.ts'
import type { ContainerStream } from '../container/container-stream.ts'
import { damagedWorkbook, refusedWorkbook } from '../container/damaged-workbook.ts'
import { byteText, type DecodeBytes } from '../records/byte-text.ts'
import { type Cipher, openCipher } from '../records/cipher.ts'
import { RecordFlow } from '../records/record-flow.ts'
import { Biff, type BiffRecord } from '../records/record-types.ts'
import { StringReader } from '../records/string-reader.ts'
import { readStringTable } from './read-string-table.ts'
import type { Message } from '../../../core/message.ts'
import { xlsMessages } from '../messages/xls-messages.ts'

const BIFF5 = 0x500
const BIFF8 = 0x600
const WORKSHEET = 0
const MOST_SHEETS = 10_000
const MOST_STYLES = 1_000_000
const WINDOWS_1252 = 1252
const BOLD_WEIGHT = 600
/** No font has the number 4. */
const FONT_BEFORE_THE_GAP = 3

export interface XlsSheet {
  readonly name: string
  readonly state: SheetState
  readonly hasCells: boolean
  /** Where its records begin. */
  readonly at: number
}

/** What all sheets of a workbook share. */
export interface Globals extends StyleFormats {
  readonly sheets: readonly XlsSheet[]
  readonly isBiff8: boolean
  readonly dateSystem: DateSystem
  /** 1 for a style that is bold. */
  readonly bold: Uint8Array
  readonly strings: StringStore
  readonly decode: DecodeBytes
  readonly cipher: Cipher | null
}

export async function readGlobals(stream: ContainerStream, context: ReadContext): Promise<Globals> {
  const flow = new RecordFlow(stream)
  const isBiff8 = await readVersion(flow)
  const reader = new GlobalsReader(flow, isBiff8, context)
  try {
    return await reader.read()
  } catch (error) {
    await reader.strings.close()
    throw error
  }
}

async function readVersion(flow: RecordFlow): Promise<boolean> {
  const first = await flow.next()
  if (first === null || first.type !== Biff.begin || first.end - first.start < 4) {
    throw damagedWorkbook(xlsMessages.noBeginning())
  }
  const version = first.bytes.readUInt16LE(first.start)
  if (version !== BIFF5 && version !== BIFF8) {
    throw refusedWorkbook(xlsMessages.tooOld())
  }
  return version === BIFF8
}

class GlobalsReader {
  strings: StringStore = NO_STRINGS
  readonly #flow: RecordFlow
  readonly #isBiff8: boolean
  readonly #context: ReadContext
  readonly #sheets: { name: Buffer | string; state: number; kind: number; at: number }[] = []
  readonly #formats = new Map<number, Buffer | string>()
  readonly #formatOfStyle: number[] = []
  readonly #fontOfStyle: number[] = []
  readonly #boldFonts = new Set<number>()
  #fonts = 0
  #dateSystem: DateSystem = '1900'
  #codePage = WINDOWS_1252

  constructor(flow: RecordFlow, isBiff8: boolean, context: ReadContext) {
    this.#flow = flow
    this.#isBiff8 = isBiff8
    this.#context = context
  }

  async read(): Promise<Globals> {
    for (;;) {
      const record = await this.#flow.next()
      if (record === null) throw damagedWorkbook(xlsMessages.endsEarly())
      if (record.type === Biff.end) break
      await this.#take(record)
    }
    if (this.#sheets.length === 0) throw damagedWorkbook(xlsMessages.noSheet())
    const decode = byteText(this.#codePage)
    const textOf = (text: Buffer | string) => (typeof text === 'string' ? text : decode(text))
    const codes = new Map([...this.#formats].map(([id, code]) => [id, textOf(code)] as const))
    return {
      sheets: this.#sheets.map(({ name, state, kind, at }) => ({
        name: textOf(name),
        state: SHEET_STATES[state & 3] ?? 'visible',
        hasCells: kind === WORKSHEET,
        at,
      })),
      isBiff8: this.#isBiff8,
      dateSystem: this.#dateSystem,
      ...styleFormats(this.#formatOfStyle, codes),
      bold: Uint8Array.from(this.#fontOfStyle, (font) => (this.#boldFonts.has(font) ? 1 : 0)),
      strings: this.strings,
      decode,
      cipher: this.#flow.cipher,
    }
  }

  async #take(record: BiffRecord): Promise<void> {
    const { type, bytes, start, end } = record
    const length = end - start
    if (type === Biff.filePass) this.#flow.cipher = openCipher(record)
    else if (type === Biff.codePage && length >= 2) this.#codePage = bytes.readUInt16LE(start)
    else if (type === Biff.dateMode && length >= 2) {
      this.#dateSystem = bytes.readUInt16LE(start) === 1 ? '1904' : '1900'
    } else if (type === Biff.xf && length >= 4) {
      if (this.#formatOfStyle.length === MOST_STYLES)
        throw tooMany(xlsMessages.manyStyles(), 'styles')
      this.#fontOfStyle.push(bytes.readUInt16LE(start))
      this.#formatOfStyle.push(bytes.readUInt16LE(start + 2))
    } else if (type === Biff.font && length >= 8) {
      if (bytes.readUInt16LE(start + 6) >= BOLD_WEIGHT) this.#boldFonts.add(this.#fonts)
      this.#fonts += this.#fonts === FONT_BEFORE_THE_GAP ? 2 : 1
    } else if (type === Biff.format && length >= 3) await this.#format(record)
    else if (type === Biff.boundSheet && length >= 7) await this.#sheet(record)
    else if (type === Biff.sst && length >= 8) {
      this.strings = await readStringTable(this.#flow, record, this.#context)
    }
  }

  async #format(record: BiffRecord): Promise<void> {
    if (this.#formats.size === MOST_STYLES) throw tooMany(xlsMessages.manyFormats(), 'styles')
    const { bytes, start, end } = record
    const id = bytes.readUInt16LE(start)
    const code = this.#isBiff8
      ? await formatCode(record, bytes.readUInt16LE(start + 2))
      : Buffer.from(bytes.subarray(start + 3, Math.min(end, start + 3 + bytes[start + 2]!)))
    if (code !== null) this.#formats.set(id, code)
  }

  async #sheet(record: BiffRecord): Promise<void> {
    if (this.#sheets.length === MOST_SHEETS) throw tooMany(xlsMessages.manySheets(), 'sheets')
    const { bytes, start, end } = record
    const characters = bytes[start + 6]!
    const name = this.#isBiff8
      ? await wholeText(record, start + 7, characters)
      : Buffer.from(bytes.subarray(start + 7, Math.min(end, start + 7 + characters)))
    const at = bytes.readUInt32LE(start)
    this.#sheets.push({ name, state: bytes[start + 4]!, kind: bytes[start + 5]!, at })
  }
}

/** Null if it is damaged: its numbers are then shown as plain numbers, and nothing else is lost. */
async function formatCode(record: BiffRecord, characters: number): Promise<string | null> {
  try {
    return await wholeText(record, record.start + 4, characters)
  } catch (error) {
    if (error instanceof EngineError) return null
    throw error
  }
}

/** A text of BIFF8 in a single record. */
async function wholeText(
  { bytes, end }: BiffRecord,
  from: number,
  characters: number,
): Promise<string> {
  let text = ''
  const reader = new StringReader({ bytes, start: from, end }, async () => null)
  await reader.text(characters, (piece) => (text += piece))
  return text
}

const tooMany = (message: Message, limit: string): EngineError =>
  new EngineError(message, { kind: 'limit', limit })
