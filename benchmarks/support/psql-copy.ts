import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

import { createPool } from '../../src/db/pool.ts'

export interface Copying {
  /** With its columns, where not all of them are meant. */
  readonly table: string
  readonly path: string
  readonly format?: 'csv' | 'binary'
  /** The file begins with names; for CSV alone. */
  readonly header?: boolean
  /** Statements that belong to the work, in the same session. */
  readonly before?: string
  readonly afterwards?: string
  /** For a table that `before` makes in the same transaction: its rows need no later visit by vacuum. */
  readonly freeze?: boolean
}

export const hasPsql = (): boolean => spawnSync('psql', ['--version']).status === 0

/** psql's `\copy` of a file; where there is no psql, the same COPY through pg. */
export async function copyFile(
  url: string,
  direction: 'from' | 'to',
  copying: Copying,
): Promise<void> {
  if (!hasPsql()) return copyThroughPg(url, direction, copying)
  const { table, path, before, afterwards } = copying
  const copy = `\\copy ${table} ${direction} '${path}' (${optionsOf(copying)})`
  const commands = [before, copy, afterwards].flatMap((each) => (each ? ['-c', each] : []))
  const child = spawn('psql', [url, '-q', '-v', 'ON_ERROR_STOP=1', ...commands], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`psql ended with ${code}`)
}

export async function copyThroughPg(
  url: string,
  direction: 'from' | 'to',
  copying: Copying,
): Promise<void> {
  const { table, path, before, afterwards } = copying
  const options = optionsOf(copying)
  const pool = createPool(url, { max: 1 })
  const client = await pool.connect()
  try {
    if (before !== undefined) await client.query(before)
    await (direction === 'from'
      ? pipeline(
          createReadStream(path, { highWaterMark: 256 * 1024 }),
          client.query(copyFrom(`copy ${table} from stdin (${options})`)),
        )
      : pipeline(
          client.query(copyTo(`copy ${table} to stdout (${options})`)),
          createWriteStream(path),
        ))
    if (afterwards !== undefined) await client.query(afterwards)
  } finally {
    client.release()
    await pool.end()
  }
}

function optionsOf({ format = 'csv', header = false, freeze = false }: Copying): string {
  return [`format ${format}`, ...(header ? ['header'] : []), ...(freeze ? ['freeze'] : [])].join(
    ', ',
  )
}
