import type { Format, InputHead } from '../core/format.ts'
import { Registry } from '../core/registry.ts'
import { createCsvReader } from '../readers/csv/index.ts'
import { excelReader } from '../readers/excel/index.ts'
import { createJsonReader } from '../readers/json/json-reader.ts'

/** Asked in this order; text that is nothing else is CSV. */
export function standardFormats(): Registry<Format> {
  return new Registry<Format>([
    { name: 'excel', reader: excelReader, recognises: isWorkbook },
    { name: 'json', reader: createJsonReader(), recognises: isJson },
    { name: 'csv', reader: createCsvReader(), recognises: () => true },
  ])
}

const ZIP = Buffer.from('PK\x03\x04', 'latin1')
/** `.xls`, and workbooks with a password: the reader says why it refuses them. */
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex')

function isWorkbook({ bytes }: InputHead): boolean {
  return [ZIP, OLE].some((magic) => bytes.subarray(0, magic.length).equals(magic))
}

/** An object, or an array of what JSON may hold: `[id],[name]` is a header in CSV. */
const JSON_START = /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:[[{\]"\d-]|true\b|false\b|null\b|$))/

function isJson({ unpacked }: InputHead): boolean {
  // In UTF-16 every other byte of such a beginning is zero.
  const text = unpacked.toString('latin1').replace(/^(?:ï»¿|ÿþ|þÿ)/, '')
  return JSON_START.test(text.replaceAll('\0', ''))
}
