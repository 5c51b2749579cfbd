import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { IngestOptions } from '../../pipelines/index.ts'
import { rawWorkbook, type RawSheet, type RawWorkbook } from './workbooks/raw-workbook.ts'

const FOLDER = join(import.meta.dirname, '../fixtures')

/** A file as somebody sent it. */
export interface Fixture {
  readonly name: string
  readonly bytes: Buffer
  readonly options: IngestOptions
}

/** Workbooks are kept as what is special about them, and written out here: XML can be reviewed. */
interface ExcelFixture extends Fixture {
  readonly about: string
  readonly table: {
    readonly headers: readonly (string | null)[]
    readonly rows: readonly (readonly (string | null)[])[]
    /** `n`, `b`, `d` or `t` for each cell that has a value. */
    readonly kinds: readonly (readonly (string | null)[])[]
  }
}

interface DescribedWorkbook extends Omit<RawWorkbook, 'sheets' | 'sharedStrings'> {
  readonly sharedStrings?: readonly string[]
  readonly sheets: readonly DescribedSheet[]
}

/** XML in pieces, so that a line holds a row. */
interface DescribedSheet extends Omit<RawSheet, 'rows' | 'xml'> {
  readonly rows?: string | readonly string[]
  readonly xml?: readonly string[]
}

export function excelFixtures(): readonly ExcelFixture[] {
  return namesIn('excel').map((file) => {
    const {
      about,
      options = {},
      workbook,
      table,
    } = readJson('excel', file) as {
      about: string
      options?: IngestOptions
      workbook: DescribedWorkbook
      table: ExcelFixture['table']
    }
    const name = file.replace('.json', '.xlsx')
    return { name, about, options, table, bytes: workbookOf(workbook) }
  })
}

export function csvFixtures(): readonly Fixture[] {
  return namesIn('csv')
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const { file, options = {} } = readJson('csv', name) as {
        file: string
        options?: IngestOptions
      }
      return { name: file, bytes: read('csv', file), options }
    })
}

export function jsonFixtures(): readonly Fixture[] {
  const names = namesIn('json')
  return names
    .filter((name) => !/\.(?:table|options)\.json$/.test(name))
    .map((name) => {
      const options = name.replace(/\.(?:nd)?json$/, '.options.json')
      return {
        name,
        bytes: read('json', name),
        options: names.includes(options) ? (readJson('json', options) as IngestOptions) : {},
      }
    })
}

export function parquetFixtures(): readonly Fixture[] {
  return filesIn('parquet', '.parquet')
}

export function xlsFixtures(): readonly Fixture[] {
  return filesIn('xls', '.xls')
}

export function odsFixtures(): readonly Fixture[] {
  return filesIn('ods', '.ods')
}

export function textFixtures(folder: string): readonly Fixture[] {
  return filesIn(folder, '')
}

/** Files that programs of others wrote; the script that had them written lies beside them. */
function filesIn(folder: string, ending: string): readonly Fixture[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => ({ name, bytes: read(folder, name), options: {} }))
}

function workbookOf({ sheets, sharedStrings, ...rest }: DescribedWorkbook): Buffer {
  return rawWorkbook({
    ...rest,
    ...(sharedStrings && { sharedStrings: sharedStrings.join('') }),
    sheets: sheets.map(({ rows, xml, ...sheet }) => ({
      ...sheet,
      ...(rows !== undefined && { rows: typeof rows === 'string' ? rows : rows.join('') }),
      ...(xml && { xml: xml.join('') }),
    })),
  })
}

function namesIn(folder: string): readonly string[] {
  return readdirSync(join(FOLDER, folder)).toSorted()
}

function read(folder: string, name: string): Buffer {
  return readFileSync(join(FOLDER, folder, name))
}

function readJson(folder: string, name: string): unknown {
  return JSON.parse(read(folder, name).toString('utf8'))
}
