import { isDeepStrictEqual } from 'node:util'

import { expect } from 'chai'

import { cellText } from '../../../../pipelines/core/batch.ts'
import { EngineError } from '../../../../pipelines/core/errors.ts'
import { DEFAULT_LIMITS } from '../../../../pipelines/core/limits.ts'
import { SpareMemory } from '../../../../pipelines/readers/json/batch-memory.ts'
import { PageReader } from '../../../../pipelines/readers/records/page-reader.ts'
import { RecordColumns } from '../../../../pipelines/readers/records/record-columns.ts'
import { rowAsJson } from '../../../../pipelines/readers/records/row-as-json.ts'
import { rowsAsBatch } from '../../../../pipelines/readers/records/rows-as-batch.ts'

const SHAPE = { rows: 'items', values: 'values', beside: ['next'] } as const
const WHOLE =
  '{"more":[{"x":1.5},null],"items":[{"uuid":"u","values":{"a":"\\u00e9\\n","b":[1,{"d":-0.5e3,"c":"é"}]}},' +
  ' {"values":{"a":null,"f":true,"b":{"id":"1","name":"n","url":"w"}}}],"next":{"k":"v"}}'

interface Content {
  readonly rows: readonly unknown[]
  readonly next: unknown
}

/** Each page is read into memory that holds a longer one. */
function createReader(): (json: Buffer) => Promise<Content> {
  const columns = new RecordColumns([{ key: 'a', label: 'a' }], DEFAULT_LIMITS)
  const reader = new PageReader(SHAPE, columns.keys, DEFAULT_LIMITS)
  const longer = [Buffer.from(`${WHOLE}${' '.repeat(9)}`)]
  const spare = new SpareMemory()
  let isReady = false
  return async (json) => {
    // What is refused keeps its memory.
    if (!isReady) reader.release((await reader.read(longer)).rows)
    isReady = false
    const content = await reader.read([json])
    isReady = true
    const page = content.rows
    columns.admit(page.keys)
    const stretch = { first: 0, count: page.count }
    const batch =
      page.count > 0 ? rowsAsBatch(page, stretch, columns, { firstRow: 1, spare }) : null
    reader.release(page)
    const rows = Array.from({ length: batch?.rows ?? 0 }, (_, row): unknown => {
      const isBroken = batch!.faults.some((fault) => fault.row === row)
      return isBroken
        ? cellText(batch!, row, 0)
        : JSON.parse(rowAsJson(batch!, row, columns.keys.names))
    })
    return withoutMinusZero({ rows, next: content.beside['next'] })
  }
}

const withoutMinusZero = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Null where `JSON.parse` or the shape of a page refuses it. */
function expected(json: Buffer): Content | null {
  let page: unknown
  try {
    page = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json))
  } catch {
    return null
  }
  if (!isObject(page)) return null
  const { items, next } = page
  if (!Array.isArray(items)) return null
  const rows: unknown[] = []
  for (const item of items as unknown[]) {
    if (!isObject(item) || !isObject(item['values'])) return null
    rows.push(keptOf(item['values']))
  }
  return withoutMinusZero({ rows, next })
}

/** Without nulls; of a file the id and the name. */
function keptOf(values: Readonly<Record<string, unknown>>): unknown {
  const answered = Object.entries(values).filter(([, value]) => value !== null)
  return JSON.parse(JSON.stringify(Object.fromEntries(answered)), (_key, value: unknown) => {
    if (!isObject(value) || value === null) return value
    const { id, name, url } = value
    const isFile = typeof id === 'string' && typeof name === 'string' && url !== undefined
    return isFile ? { id, name } : value
  })
}

async function expectTheSame(reader: ReturnType<typeof createReader>, json: Buffer) {
  const wanted = expected(json)
  const shown = json.toString()
  const found = await reader(json).catch((error: unknown) => {
    if (!(error instanceof EngineError)) throw error
    expect(error.problem.kind, shown).to.equal('structure')
    return null
  })
  if (!isDeepStrictEqual(found, wanted)) expect(found, shown).to.deep.equal(wanted)
}

describe('Pages of records that are broken', () => {
  const whole = Buffer.from(WHOLE)

  it('are refused when they are cut at any byte', async () => {
    const reader = createReader()
    for (let end = 0; end <= whole.length; end++) {
      await expectTheSame(reader, whole.subarray(0, end))
    }
  })

  it('are refused or read as JSON.parse does when any byte is another, or missing', async () => {
    const reader = createReader()
    const others = ['', '\0', ...'{]",0\\', Buffer.from([0xc3])]
    for (let at = 0; at < whole.length; at++) {
      for (const other of others) {
        const put = Buffer.from(other)
        const rest = whole.subarray(at + 1)
        await expectTheSame(reader, Buffer.concat([whole.subarray(0, at), put, rest]))
      }
    }
  })
})
