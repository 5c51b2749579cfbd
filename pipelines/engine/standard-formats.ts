import type { Format } from '../core/format.ts'
import { Registry } from '../core/registry.ts'
import { createCsvReader } from '../readers/csv/index.ts'
import { excelReader } from '../readers/excel/index.ts'
import { recognisesWorkbook } from '../readers/excel/recognise-workbook.ts'
import { createJsonReader } from '../readers/json/json-reader.ts'
import { isCertainlyJson, mayBeJson, recognisesJson } from '../readers/json/recognise-json.ts'

/**
 * Asked in this order. Whatever is no archive and nothing else is taken for delimited text: its
 * reader names what is no text at all.
 */
export function standardFormats(): Registry<Format> {
  return new Registry<Format>([
    { name: 'excel', reader: excelReader, recognises: recognisesWorkbook },
    {
      name: 'json',
      reader: createJsonReader(),
      recognises: recognisesJson,
      mayBe: mayBeJson,
    },
    {
      name: 'csv',
      reader: createCsvReader(),
      recognises: ({ members }) => members === null,
      mayBe: (head) => head.members === null && !isCertainlyJson(head),
    },
  ])
}
