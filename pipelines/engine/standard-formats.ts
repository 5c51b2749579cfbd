import type { Format } from '../core/format.ts'
import { Registry } from '../core/registry.ts'
import { csvFormat } from '../readers/csv/index.ts'
import { excelFormat } from '../readers/excel/index.ts'
import { fixedWidthFormat } from '../readers/fixed-width/index.ts'
import { htmlFormat } from '../readers/html/index.ts'
import { geojsonFormat, jsonFormat } from '../readers/json/index.ts'
import { odsFormat } from '../readers/ods/index.ts'
import { parquetFormat } from '../readers/parquet/index.ts'
import { xlsFormat } from '../readers/xls/index.ts'
import { xmlFormat } from '../readers/xml/index.ts'
import { xmlSpreadsheetFormat } from '../readers/xml-spreadsheet/index.ts'

/** Every format; this is the only place that names them. Of equally sure ones, the first reads. */
const FORMATS: readonly Format[] = [
  // Recognised by their signatures.
  excelFormat,
  xlsFormat,
  odsFormat,
  parquetFormat,
  xmlSpreadsheetFormat,
  htmlFormat,
  xmlFormat,
  // Text: the one with the strictest syntax first.
  geojsonFormat,
  jsonFormat,
  fixedWidthFormat,
  csvFormat,
]

export function standardFormats(): Registry<Format> {
  return new Registry(FORMATS)
}
