import type { Format } from '../core/format.ts'
import { Registry } from '../core/registry.ts'
import { csvFormat } from '../readers/csv/index.ts'
import { excelFormat } from '../readers/excel/index.ts'
import { jsonFormat } from '../readers/json/index.ts'

/** Every format there is, and the only place that names them. Of equally sure ones the first reads. */
const FORMATS: readonly Format[] = [
  // Known by what they begin with.
  excelFormat,
  // Text: the one with the strictest syntax first.
  jsonFormat,
  csvFormat,
]

export function standardFormats(): Registry<Format> {
  return new Registry(FORMATS)
}
