import { readFileSync } from 'node:fs'

import ExcelJS from 'exceljs'

import type { IngestOptions } from '../../pipelines/index.ts'

/** One example of a guide: the heading it stands under, a file, options, and what comes of it. */
interface Example {
  readonly heading: string
  readonly bytes: () => Promise<Buffer>
  readonly options: IngestOptions
  readonly result: string
}

const BLOCK =
  /^#+ (?<heading>.+)$|^```\w+ (?<kind>file|workbook|options|result|seen)(?<encoding> \S+)?\n(?<text>[^]*?)^```$/gm

/** Of `docs/PAGE`; `result` and `seen` end an example. */
export function readExamples(page: string): Example[] {
  const guide = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8')
  const examples: Example[] = []
  let heading = ''
  let bytes: Example['bytes'] | null = null
  let options: IngestOptions = {}
  for (const { groups } of guide.matchAll(BLOCK)) {
    const { kind, text = '', encoding = '' } = groups!
    if (kind === undefined) heading = groups!['heading']!
    if (kind === 'file') bytes = async () => encode(text, encoding.trim())
    if (kind === 'workbook') bytes = () => writeWorkbook(text)
    if (kind === 'options') options = JSON.parse(text) as IngestOptions
    if (kind !== 'result' && kind !== 'seen') continue
    if (bytes === null) throw new Error(`The example under «${heading}» has no file`)
    examples.push({ heading, bytes, options, result: text.trimEnd() })
    bytes = null
    options = {}
  }
  return examples
}

function encode(text: string, encoding: string): Buffer {
  // The one character of the guide in which ISO 8859-15 is not ISO 8859-1.
  return encoding === '' ? Buffer.from(text) : Buffer.from(text.replaceAll('€', '¤'), 'latin1')
}

/** `# name` begins a sheet; cells stand between bars; what reads as a number or a day is one. */
async function writeWorkbook(text: string): Promise<Buffer> {
  const workbook = new ExcelJS.Workbook()
  let sheet: ExcelJS.Worksheet | undefined
  for (const line of text.trimEnd().split('\n')) {
    if (line.startsWith('# ')) sheet = workbook.addWorksheet(line.slice(2))
    else sheet!.addRow(line.split('|').map((cell) => cellOf(cell.trim())))
  }
  return Buffer.from(await workbook.xlsx.writeBuffer())
}

function cellOf(text: string): string | number | Date | null {
  if (text === '') return null
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return new Date(text)
  return Number.isNaN(Number(text)) ? text : Number(text)
}
