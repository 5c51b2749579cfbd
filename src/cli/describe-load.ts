import type { LoadReport } from '../../pipelines/index.ts'
import { columnCount, misfits, plain, section, table, warningLines } from './terminal-text.ts'

export interface ReportedLoad extends Omit<LoadReport, 'table'> {
  readonly file: string
  readonly schema: string
  readonly table: string
  /** The table of rows that were left out; null if there are none. */
  readonly rejects: string | null
  readonly rowsInTable: number
  /** Only if the table is distributed over the nodes of a cluster. */
  readonly distributed?: boolean
  /** Where the table was found in the sheet. */
  readonly sheet?: LoadReport['table']
}

/** The report of a load for people at a terminal. */
export function describeLoad(load: ReportedLoad): string {
  const { file, schema, counts, rejects, columns, durationMs, rowsInTable, warnings } = load
  const { streams, streamsBecause, invalidCells } = load
  const target = `${schema}.${load.table}`
  const seconds = Math.max(durationMs, 1) / 1000
  const rate = Math.round(counts.loaded / seconds)
  const facts = [
    `${rows(counts.loaded)} in ${seconds.toFixed(1)} s, ${counted(rate)} a second`,
    `${target} holds ${rows(rowsInTable)}`,
    `${streams} COPY ${streams === 1 ? 'stream' : 'streams'}: ${plain(String(streamsBecause))}`,
    ...(rejects === null
      ? []
      : [`${rows(counts.rejected, 'invalid ')} left out and kept in ${schema}.${rejects}`]),
    ...(rejects !== null || invalidCells === 0
      ? []
      : [`${misfits(invalidCells)}, and ${invalidCells === 1 ? 'is' : 'are'} NULL`]),
    ...(counts.blank === 0 ? [] : [`${rows(counts.blank, 'blank ')} left out`]),
  ]
  const types = columns.map(({ name, column, sqlType, dateFormat, pattern = dateFormat }) => [
    name,
    column,
    pattern === undefined ? sqlType : `${sqlType}, from ${pattern}`,
  ])
  return [
    section(`Loaded ${plain(file)} into ${target}`, facts),
    section(columnCount(columns), table(['header', 'column', 'type'], types)),
    section('Warnings', warnings.flatMap(warningLines)),
  ].join('')
}

const rows = (count: number, kind = ''): string =>
  `${counted(count)} ${kind}${count === 1 ? 'row' : 'rows'}`
const counted = (count: number): string => count.toLocaleString('en')
