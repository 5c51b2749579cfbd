import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'

import type { SeenSheet } from './see-sheet.ts'

interface Sniffed {
  readonly Delimiter: string
  readonly SkipRows: number
  readonly HasHeader: boolean
  readonly Columns: readonly { readonly name: string }[]
}

const NOTHING: SeenSheet = { delimiter: null, header: [], firstRow: null, columns: [] }

/** What DuckDB's sniffer sees in texts. */
export async function sniffByDuckDb(paths: readonly string[]): Promise<SeenSheet[]> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    const seen: SeenSheet[] = []
    for (const path of paths) seen.push(await sniff(connection, path))
    return seen
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

async function sniff(connection: DuckDBConnection, path: string): Promise<SeenSheet> {
  try {
    const answer = await connection.runAndReadAll(`from sniff_csv('${path.replaceAll("'", "''")}')`)
    const [sniffed] = answer.getRowObjectsJson() as unknown as Sniffed[]
    return sniffed === undefined ? NOTHING : asSeen(sniffed)
  } catch {
    // It refuses what it makes nothing of.
    return NOTHING
  }
}

function asSeen({ Delimiter, SkipRows, HasHeader, Columns }: Sniffed): SeenSheet {
  const firstLine = SkipRows + 1
  return {
    delimiter: Columns.length > 1 ? Delimiter : null,
    header: HasHeader ? [firstLine] : [],
    firstRow: HasHeader ? firstLine + 1 : firstLine,
    columns: Columns.map(({ name }) => name),
  }
}
