import { stat } from 'node:fs/promises'
import { join } from 'node:path'

import type { Pool } from 'pg'

import { MiB } from '../../pipelines/index.ts'
import {
  type BenchmarkCase,
  type BenchmarkResult,
  type Figure,
  type MeasuredContender,
  median,
  timesAsFast,
  timesAsLong,
} from '../benchmark.ts'
import { writeOds, writeXls } from '../generators/old-formats.ts'
import { PARQUET_COLUMNS, writeParquetFile } from '../generators/parquet.ts'
import { writeWorkbook } from '../generators/workbook.ts'
import { inFolder } from '../support/in-folder.ts'
import { type Contender, inTurns } from '../support/in-turns.ts'
import { loadByEngine } from '../support/load-by-engine.ts'
import { measureScript, time } from '../support/measure.ts'
import { migratedDatabase } from '../support/migrated-database.ts'
import { copyThroughPg } from '../support/psql-copy.ts'
import { forgetPeak, peakResidentBytes } from '../support/resident-memory.ts'
import { type BenchedService, benchedService } from '../support/service-client.ts'

const MOST_PEAK_MIB = 300
/** What an old workbook can hold, its header among them. */
const XLS_ROWS = 65_535
const XLS_COLUMNS = 20
/** Of the rows of the Parquet file, in the sheets. */
const SHEET_SHARE = 20
const WRITE_WORKBOOK = new URL('write-workbook.ts', import.meta.url)

/** Formats beside CSV and JSON: what they cost to load and to write. */
export const formatsCase: BenchmarkCase = {
  name: 'formats',
  summary: 'Parquet against COPY and CSV, sheets against each other, workbooks against exceljs',
  rows: 2_000_000,
  run: ({ rows, runs, databaseUrl }) =>
    inFolder(async (folder) => {
      await using database = await migratedDatabase(databaseUrl)
      const { url, pool } = database
      return await measureAll({ pool, url, folder, rows, runs })
    }),
}

interface Stand {
  readonly pool: Pool
  readonly url: string
  readonly folder: string
  readonly rows: number
  readonly runs: number
}

async function measureAll(stand: Stand): Promise<BenchmarkResult> {
  const path = join(stand.folder, 'rows.parquet')
  await writeParquetFile(path, stand.rows)
  const loads = await parquetLoads(stand, path)
  const exports = await parquetExports(stand, path)
  const sheets = await sheetLoads(stand)
  const writers = await workbookWriters(stand)
  const bytes = (await stat(path)).size
  return {
    input: `${stand.rows.toLocaleString('en')} rows, ${PARQUET_COLUMNS} columns, ${(bytes / MiB).toFixed(0)} MiB of Parquet; ${stand.runs} runs`,
    rows: null,
    bytes: null,
    contenders: [
      ...Object.values(loads),
      ...Object.values(exports),
      ...Object.values(sheets),
      ...Object.values(writers),
    ],
    figures: [
      {
        what: 'times COPY of the same rows in binary form, loading Parquet',
        found: timesAsLong(loads.engine, loads.copy),
        atMost: 1.2,
      },
      {
        what: 'times the CSV export, writing Parquet',
        found: timesAsLong(exports.parquet, exports.csv),
        atMost: 1.5,
      },
      {
        what: 'of the rows a second of .xlsx, reading .ods',
        found: timesAsFast(sheets.ods, sheets.xlsx),
        atLeast: 0.5,
      },
      {
        what: `s for an .xls of ${XLS_ROWS.toLocaleString('en')} × ${XLS_COLUMNS}`,
        found: median(sheets.xls.samples),
        atMost: 5,
      },
      {
        what: 'times as fast as exceljs, writing a workbook',
        found: timesAsFast(writers.ours, writers.exceljs),
        atLeast: 2,
      },
      peak('loading Parquet', loads.engine),
      peak('loading .ods', sheets.ods),
      peak('loading .xlsx', sheets.xlsx),
      peak('of the service, writing Parquet', exports.parquet),
    ],
    caveats: [
      'Client, service and PostgreSQL share the cores.',
      'COPY gets the rows as PostgreSQL itself wrote them, their numbers included, and adds the primary key, as the engine does.',
      'Exports are read to their end from the service, and thrown away.',
      'The sheets hold a twentieth of the rows. Each load is a process of its own.',
      'Both writers give the same cells, a bold header that stays in sight, widths and formats of dates.',
    ],
  }
}

function peak(what: string, { peakRssBytes }: MeasuredContender): Figure {
  return {
    what: `MiB of memory at the peak ${what}`,
    found: (peakRssBytes ?? 0) / MiB,
    atMost: MOST_PEAK_MIB,
  }
}

function engineOn({ url }: Stand, path: string, name: string, expectedRows: number): Contender {
  const table = 'formats_engine'
  return {
    name,
    isOurs: true,
    run: () => loadByEngine({ path, url, schema: 'public', table, expectedRows }),
  }
}

/** The typed table that Parquet becomes, and the same rows through COPY. */
async function parquetLoads(stand: Stand, path: string) {
  const { pool, url, folder, rows, runs } = stand
  const engine = engineOn(stand, path, 'Parquet into a typed table', rows)
  const binary = join(folder, 'rows.bin')
  await engine.run()
  await copyThroughPg(url, 'to', { table: 'formats_engine', path: binary, format: 'binary' })
  await pool.query('create table public.copied (like formats_engine including defaults)')
  return inTurns(
    {
      copy: {
        name: 'COPY of the same rows in binary form',
        prepare: async () => {
          await pool.query('alter table copied drop constraint if exists copied_pkey')
          await pool.query('truncate copied')
        },
        run: () =>
          time(() =>
            copyThroughPg(url, 'from', {
              table: 'copied',
              path: binary,
              format: 'binary',
              afterwards: 'alter table copied add primary key (_row)',
            }),
          ),
      },
      engine,
    },
    runs,
  )
}

async function parquetExports(stand: Stand, path: string) {
  const { url, folder } = stand
  const data = join(folder, 'data')
  const { admin, source } = await loadedSource(url, data, path)
  const started = () => benchedService(url, data, {}, admin)
  const timed = await exportsInTurns(started, source, stand.runs)
  // Alone: what memory keeps of another export is no part of what this one takes.
  await using service = await started()
  const { peakRssBytes } = await exported(service, source, 'parquet')
  return { ...timed, parquet: { ...timed.parquet, peakRssBytes } }
}

async function exportsInTurns(
  started: () => Promise<BenchedService>,
  source: string,
  runs: number,
) {
  await using service = await started()
  return await inTurns(
    {
      csv: { name: 'export as CSV', run: () => exported(service, source, 'csv') },
      parquet: {
        name: 'export as Parquet',
        isOurs: true,
        run: () => exported(service, source, 'parquet'),
      },
    },
    runs,
  )
}

/** By a process that ends: what its memory keeps of the load is no part of what an export takes. */
async function loadedSource(url: string, data: string, path: string) {
  await using service = await benchedService(url, data)
  return { admin: service.admin, source: await service.createSource(path, 'exported') }
}

async function exported(service: BenchedService, source: string, format: string) {
  forgetPeak(service.pid)
  const { ms } = await time(async () => {
    const { body } = await service.fetch(`/sources/${source}/export?format=${format}`)
    for await (const chunk of body!) void chunk
  })
  return { ms, peakRssBytes: peakResidentBytes(service.pid) }
}

async function sheetLoads(stand: Stand) {
  const rows = Math.ceil(stand.rows / SHEET_SHARE)
  const paths = {
    xlsx: join(stand.folder, 'sheet.xlsx'),
    ods: join(stand.folder, 'sheet.ods'),
    xls: join(stand.folder, 'sheet.xls'),
  }
  await writeWorkbook(paths.xlsx, rows, { sharedStrings: true })
  await writeOds(paths.ods, rows)
  const xlsRows = Math.min(XLS_ROWS, stand.rows)
  await writeXls(paths.xls, xlsRows, XLS_COLUMNS)
  const named = (kind: string, count: number) =>
    `${count.toLocaleString('en')} rows of ${kind} into a typed table`
  return inTurns(
    {
      xlsx: engineOn(stand, paths.xlsx, named('.xlsx', rows), rows),
      ods: engineOn(stand, paths.ods, named('.ods', rows), rows),
      xls: engineOn(stand, paths.xls, named('.xls', xlsRows), xlsRows),
    },
    stand.runs,
  )
}

async function workbookWriters({ folder, rows, runs }: Stand) {
  const count = Math.ceil(rows / SHEET_SHARE)
  const write = (writer: string) => () =>
    measureScript(WRITE_WORKBOOK, [writer, join(folder, `${writer}.xlsx`), String(count)])
  const what = `a workbook of ${count.toLocaleString('en')} rows`
  return inTurns(
    {
      exceljs: { name: `${what}, by exceljs' streaming writer`, run: write('exceljs') },
      ours: { name: `${what}, by ours`, isOurs: true, run: write('ours') },
    },
    runs,
  )
}
