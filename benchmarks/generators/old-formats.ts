import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { finished } from 'node:stream/promises'

import { ZipStream } from '../../pipelines/index.ts'
import { writeTo } from '../../src/stack/export/export-stream.ts'
import { type BenchedValue, benchedRow, WORKBOOK_COLUMNS } from './workbook.ts'
import { xlsBook } from './xls.ts'

const MIME_TYPE = 'application/vnd.oasis.opendocument.spreadsheet'
const NAMESPACES =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"'

const MANIFEST = `<?xml version="1.0" encoding="UTF-8"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:version="1.3" manifest:media-type="${MIME_TYPE}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`

/** The rows of `writeWorkbook`, as LibreOffice writes them. */
export async function writeOds(path: string, rows: number): Promise<void> {
  const out = createWriteStream(path)
  const { signal } = new AbortController()
  const zip = new ZipStream((bytes) => writeTo(out, bytes, signal), signal)
  await zip.add('mimetype', [MIME_TYPE])
  await zip.add('content.xml', content(rows))
  await zip.add('META-INF/manifest.xml', [MANIFEST])
  await zip.end()
  out.end()
  await finished(out)
}

function* content(rows: number): Generator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?><office:document-content ${NAMESPACES} office:version="1.3"><office:body><office:spreadsheet><table:table table:name="Clients">`
  yield rowOf(WORKBOOK_COLUMNS.map(({ header }) => header))
  for (let row = 1; row <= rows; row++) yield rowOf(benchedRow(row))
  yield '</table:table></office:spreadsheet></office:body></office:document-content>'
}

function rowOf(values: readonly BenchedValue[]): string {
  return `<table:table-row table:style-name="ro1">${values.map(cellOf).join('')}</table:table-row>`
}

function cellOf(value: BenchedValue): string {
  if (typeof value === 'string') return cell('string', '', value)
  if (typeof value === 'number') return cell('float', ` office:value="${value}"`, String(value))
  if (typeof value === 'boolean') {
    return cell('boolean', ` office:boolean-value="${value}"`, value ? 'VRAI' : 'FAUX')
  }
  const day = value.toISOString().slice(0, 10)
  return cell('date', ` office:date-value="${day}"`, day.split('-').toReversed().join('/'))
}

function cell(type: string, value: string, shown: string): string {
  return `<table:table-cell table:style-name="ce1" office:value-type="${type}"${value} calcext:value-type="${type}"><text:p>${shown}</text:p></table:table-cell>`
}

/** As many rows and more columns than an old workbook mostly has, half of them texts. */
export async function writeXls(path: string, rows: number, columns: number): Promise<void> {
  await writeFile(path, xlsBook('Feuil1', numberedRows(rows, columns)))
}

function* numberedRows(rows: number, columns: number): Generator<(string | number)[]> {
  const places = [...Array(columns).keys()]
  yield places.map((at) => `Colonne ${at + 1}`)
  for (let row = 0; row < rows; row++) {
    yield places.map((at) =>
      at % 2 === 0 ? row * columns + at : `texte ${(row * 31 + at) % 20_000}`,
    )
  }
}
