import { readFileSync } from 'node:fs'

import { expect } from 'chai'
import { Pool } from 'pg'

import type { Actor } from '../../src/domain/actor.ts'
import { createSqlUsers } from '../../src/domain/sql-users/sql-users.ts'
import { EXAMPLE_CSV, exampleOptions } from '../../src/http/presenters/example-table.ts'
import { useApp } from '../support/app.ts'
import { created, createFromFile, reloadWith } from '../support/sources.ts'

const ROLE = `reader_of_the_guide_${process.pid}`

interface Block {
  readonly as: 'reader' | 'owner'
  readonly sql: string
  /** What psql shows, where the guide says it. */
  readonly shown: string | null
}

function readBlocks(): Block[] {
  const text = readFileSync(new URL('../../docs/sql.md', import.meta.url), 'utf8')
  const pattern = /```sql (reader|owner)\n([^]*?)```(?:\n\n```\n([^]*?)```)?/g
  return [...text.matchAll(pattern)].map(([, as, sql, shown]) => ({
    as: as as Block['as'],
    sql: sql!,
    shown: shown ?? null,
  }))
}

describe('the guide to SQL', () => {
  const app = useApp()
  let admin: Actor
  let uuid: string
  let reader: Pool
  const users = () => createSqlUsers({ pool: app.database.pool, admin: app.database.pool })
  const ofTest = (sql: string) =>
    sql
      .replaceAll('enterprise_1', `enterprise_${admin.enterprise!.id}`)
      .replaceAll('comptable', ROLE)

  before(async () => {
    admin = await app.build.user()
    const client = app.client.as(admin)
    const fields = { tableName: 'factures', options: exampleOptions }
    uuid = (await created(createFromFile(client, EXAMPLE_CSV, fields))).uuid
    const { password } = await users().create({ name: ROLE, enterpriseId: admin.enterprise!.id })
    const url = new URL(app.database.url)
    url.username = ROLE
    url.password = password
    reader = new Pool({ connectionString: url.href, max: 1 })
  })

  it('has statements that do what it says', async () => {
    const blocks = readBlocks()
    expect(blocks.length).to.be.greaterThan(5)
    for (const { as, sql, shown } of blocks) {
      const pool = as === 'reader' ? reader : app.database.pool
      const result = await pool.query<Record<string, unknown>>(ofTest(sql))
      if (shown === null) continue
      const [titles, , ...lines] = shown.trimEnd().split('\n')
      const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim())
      expect(result.fields.map(({ name }) => name)).to.deep.equal(cellsOf(titles!))
      const rows = result.rows.map((row) => Object.values(row).map(String))
      expect(rows).to.deep.equal(lines.map(cellsOf))
    }
  })

  it('has a view and an index that stay, whatever is loaded', async () => {
    const reload = reloadWith(() => app.client.as(admin))
    const rest = 'Date;Montant TTC;Payé\n04/04/2026;1;non\n'
    const answer = await reload(uuid, rest, { options: exampleOptions })
    expect(answer.status, answer.text).to.equal(200)
    const { rows } = await reader.query('select client, montant_ttc from reports.open_invoices')
    expect(rows).to.deep.equal([{ client: null, montant_ttc: '1' }])
    const indexes = await app.database.pool.query('select from pg_indexes where indexname = $1', [
      'factures_client',
    ])
    expect(indexes.rowCount).to.equal(1)
    const deleted = await app.client.as(admin).delete(`/sources/${uuid}`)
    expect([deleted.status, deleted.body.code]).to.deep.equal([409, 'SourceInUseException'])
  })

  it('ends with the role dropped, with the rights that it had', async () => {
    await reader.end()
    await users().drop(ROLE)
    const { rowCount } = await app.database.pool.query('select from pg_roles where rolname = $1', [
      ROLE,
    ])
    expect(rowCount).to.equal(0)
  })
})
