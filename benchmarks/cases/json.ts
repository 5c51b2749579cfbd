import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import streamArray from 'stream-json/streamers/stream-array.js'
import streamValues from 'stream-json/streamers/stream-values.js'

import { JSON_COLUMNS, type JsonLayout, writeJsonDocument } from '../generators/json-documents.ts'
import type { Contest, Ground } from '../support/contest.ts'

/** One document loaded into typed columns, end to end, by the engine and by stream-json. */
export const jsonArrayCase = jsonCase('json-array', 'array', () => streamArray.withParserAsStream())
export const ndjsonCase = jsonCase('ndjson', 'newline-delimited', () =>
  streamValues.withParserAsStream({ jsonStreaming: true }),
)

function jsonCase(name: string, layout: JsonLayout, parser: () => Duplex): Contest {
  return {
    name,
    rows: 500_000,
    timesAsFast: 4,
    prepare: async (folder: string, rows: number): Promise<string> => {
      const path = join(folder, `${name}-${rows}.json`)
      await writeJsonDocument(path, rows, layout)
      return path
    },
    rival: {
      name: 'stream-json',
      run: (path: string, ground: Ground) => loadWithStreamJson(path, ground, parser()),
    },
  }
}

/** What one would write by hand: its values as CSV into one COPY. */
async function loadWithStreamJson(path: string, ground: Ground, parser: Duplex): Promise<number> {
  const client = new Client({ connectionString: ground.databaseUrl })
  await client.connect()
  try {
    const columns = JSON_COLUMNS.map(({ key, sqlType }) => `${key} ${sqlType}`)
    await client.query('drop table if exists json_stream_json')
    await client.query(`create table public.json_stream_json (${columns.join(', ')})`)
    const copy = client.query(copyFrom('copy json_stream_json from stdin (format csv)'))
    await pipeline(createReadStream(path), parser, csvLines, copy, { signal: ground.signal })
    return copy.rowCount
  } finally {
    await client.end()
  }
}

async function* csvLines(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const item of items) {
    const { value } = item as { value: Readonly<Record<string, unknown>> }
    yield `${JSON_COLUMNS.map(({ key }) => csvField(value[key])).join(',')}\n`
  }
}

function csvField(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
