import type { Pool } from 'pg'

import { floorOfLoad } from '../support/floor-of-load.ts'
import type { Contender } from '../support/in-turns.ts'
import { loadByCli } from '../support/load-by-cli.ts'
import { type EngineLoad, loadByEngine } from '../support/load-by-engine.ts'
import { measureScript, time } from '../support/measure.ts'
import { ADD_KEY, dropTable, emptyTable, NUMBERED, TYPED } from '../support/messy-table.ts'
import { type Copying, copyFile, hasPsql } from '../support/psql-copy.ts'
import type { CsvResults } from './csv-figures.ts'

const DUCKDB = new URL('duckdb-read.ts', import.meta.url)
const USUAL = new URL('usual-load.ts', import.meta.url)
/** Of what takes long: so many tell their median. */
export const MOST_SLOW_RUNS = 3

export interface CsvStand {
  readonly folder: string
  readonly url: string
  readonly pool: Pool
}

/** The same rows: as they come, clean and numbered, and as COPY's binary form. */
interface CsvFiles {
  readonly messy: string
  readonly clean: string
  readonly numbered: string
  readonly binary: string
}

/** In the order in which they are shown. */
export function csvContenders(
  { messy, clean, numbered, binary }: CsvFiles,
  stand: CsvStand,
): Record<keyof CsvResults, Contender> {
  const { url, pool } = stand
  const copier = hasPsql() ? 'psql \\copy' : 'COPY through pg'
  const copy = (copying: Copying) => time(() => copyFile(url, 'from', copying))
  const emptyCopied = () => emptyTable(pool, 'copied', NUMBERED)
  const engine = (name: string, choice: EngineChoice = {}) =>
    engineOn(messy, stand, `engine, messy CSV, ${name}`, choice)
  return {
    copy: {
      name: `${copier}, clean CSV`,
      prepare: emptyCopied,
      run: () => copy({ table: 'copied', path: numbered, afterwards: ADD_KEY }),
    },
    bare: {
      name: `${copier}, clean CSV, no row numbers and no key`,
      prepare: () => emptyTable(pool, 'bare', TYPED),
      run: () => copy({ table: 'bare', path: clean }),
    },
    binary: {
      name: 'COPY of the encoded binary file',
      prepare: emptyCopied,
      run: () => copy({ table: 'copied', path: binary, format: 'binary', afterwards: ADD_KEY }),
    },
    floor: floorOfLoad(binary, url, pool),
    usual: {
      name: 'csv-parse → pg-copy-streams',
      prepare: () => emptyTable(pool, 'usual', TYPED),
      run: () => measureScript(USUAL, [messy, 'usual', url]),
    },
    duckdb: {
      name: 'DuckDB, messy CSV read and typed in memory',
      run: () => measureScript(DUCKDB, [messy]),
    },
    byDefault: engine('default streams'),
    byCli: {
      name: 'engine, messy CSV, by the command line, its whole process',
      isOurs: true,
      prepare: () => dropTable(pool, 'by_cli'),
      run: () => loadByCli(messy, 'by_cli', url),
    },
    oneStream: engine('1 stream', { streams: 1 }),
    twoStreams: engine('2 streams', { streams: 2 }),
    general: {
      ...engine('general reader (csv-parse)', { csvReader: 'general', table: 'general' }),
      mostRuns: MOST_SLOW_RUNS,
    },
  }
}

type EngineChoice = Partial<Pick<EngineLoad, 'streams' | 'csvReader' | 'table'>>

export function engineOn(
  path: string,
  { url, pool }: CsvStand,
  name: string,
  choice: EngineChoice = {},
): Contender {
  const load = { path, url, schema: 'public', table: 'engine', ...choice }
  return {
    name,
    isOurs: true,
    prepare: () => dropTable(pool, load.table),
    run: () => loadByEngine(load),
  }
}
