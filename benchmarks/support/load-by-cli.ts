import type { Measured } from './measure.ts'
import { measureProgram } from './whole-process.ts'

const CLI = new URL('../../src/cli/start.js', import.meta.url).pathname

/** One file into one table as people load it: the command line, from the start of Node to its end. */
export function loadByCli(path: string, table: string, url: string): Promise<Measured> {
  return measureProgram(process.execPath, [
    CLI,
    'ingest',
    path,
    '--table',
    table,
    '--database-url',
    url,
  ])
}
