import { expect } from 'chai'
import type { Pool } from 'pg'

import type { TestApp } from './app.ts'
import type { TestClient, TestResponse } from './client.ts'
import { until } from './patience.ts'
import { objectsIn } from './uploads.ts'

/** A form as browsers send it: the fields in their order, then the file. */
export function sourceForm(
  fields: Readonly<Record<string, unknown>>,
  content: string | Uint8Array<ArrayBuffer> | null,
  filename = 'data.csv',
): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  if (content !== null) form.set('file', new Blob([content]), filename)
  return form
}

let made = 0

/** A name that no other test of the file has taken. */
export const freshTableName = (): string => `table_${++made}`

export async function createFromFile(
  client: TestClient,
  content: string | Uint8Array<ArrayBuffer>,
  fields: Readonly<Record<string, unknown>> = {},
  filename?: string,
): Promise<TestResponse> {
  const form = sourceForm(
    { source: 'file', name: 'Source', tableName: freshTableName(), ...fields },
    content,
    filename,
  )
  return client.request('POST', '/sources', { content: form })
}

export async function created(answer: Promise<TestResponse>): Promise<TestResponse['body']> {
  const { status, text, body } = await answer
  expect(status, text).to.equal(201)
  return body
}

/** No answer waits for it. `enterpriseId`: of one alone. */
export const forgottenIsGone = (pool: Pool, enterpriseId: number | null = null) =>
  until('what was forgotten is gone', async () => {
    const { rowCount } = await pool.query(
      `select from object_claims where sweeping or expires_at = '-infinity'
       union all
       select from load_tables t
       where ($1::integer is null or enterprise_id = $1) and not is_attached and not exists (
         select from loads l where t.id in (l.partition_id, l.taken_id))`,
      [enterpriseId],
    )
    return rowCount === 0
  })

/** What there is of the enterprise: sources, tables in its schemas, objects and claims on them. */
export async function footprint(app: TestApp, enterpriseId: number) {
  const { pool } = app.database
  await forgottenIsGone(pool, enterpriseId)
  const sources = await pool.query<{ name: string }>(
    `select t.name from sources s join generated_tables t on t.id = s.table_id
     where s.enterprise_id = $1 order by 1`,
    [enterpriseId],
  )
  const tablesIn = async (schema: string) => {
    const { rows } = await pool.query<{ relname: string }>(
      `select relname from pg_class
       where relnamespace = to_regnamespace($1) and relkind in ('r', 'p') order by 1`,
      [schema],
    )
    return rows.map((row) => row.relname)
  }
  const claims = await pool.query('select from object_claims')
  return {
    sources: sources.rows.map((row) => row.name),
    tables: await tablesIn(`enterprise_${enterpriseId}`),
    /** What the loads have their rows in. */
    parts: (await tablesIn(`enterprise_${enterpriseId}_loads`)).length,
    claims: claims.rowCount,
    objects: (await objectsIn(app.dataDir)).length,
  }
}

/** A reload with a file, or with what the source has where there is none. */
export const reloadWith =
  (client: () => TestClient) =>
  (uuid: string, content: string | null, fields: Record<string, unknown> = {}) =>
    content === null
      ? client().post(`/sources/${uuid}/reload`, fields)
      : client().request('POST', `/sources/${uuid}/reload`, {
          content: sourceForm(fields, content),
        })

export const rowsOfSource = (client: () => TestClient) => async (uuid: string) =>
  (await client().get(`/sources/${uuid}/data`)).body.items
