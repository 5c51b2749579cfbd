import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

import { createPool } from '../../src/db/pool.ts'

export const hasPsql = (): boolean => spawnSync('psql', ['--version']).status === 0

/** psql's `\copy` of a file; where there is no psql, the same COPY through pg. */
export async function copyFile(
  url: string,
  direction: 'from' | 'to',
  table: string,
  path: string,
): Promise<void> {
  if (!hasPsql()) return copyThroughPg(url, direction, table, path)
  const command = `\\copy ${table} ${direction} '${path}' (format csv)`
  const child = spawn('psql', [url, '-q', '-c', command], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`psql ended with ${code}`)
}

async function copyThroughPg(
  url: string,
  direction: 'from' | 'to',
  table: string,
  path: string,
): Promise<void> {
  const pool = createPool(url, { max: 1 })
  const client = await pool.connect()
  try {
    await (direction === 'from'
      ? pipeline(
          createReadStream(path),
          client.query(copyFrom(`copy ${table} from stdin (format csv)`)),
        )
      : pipeline(
          client.query(copyTo(`copy ${table} to stdout (format csv)`)),
          createWriteStream(path),
        ))
  } finally {
    client.release()
    await pool.end()
  }
}
