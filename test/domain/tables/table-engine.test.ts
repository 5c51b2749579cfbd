import { rm } from 'node:fs/promises'

import { expect } from 'chai'
import type { ClientBase } from 'pg'
import { Pool } from 'pg'

import { openTableEngine, TableEngineError } from '../../../src/domain/tables/table-engine.ts'
import { runCli } from '../../support/cli.ts'
import { useDatabase } from '../../support/database.ts'
import { TEST_ENCRYPTION_KEYS } from '../../support/factories.ts'
import { makeOpenFolder } from '../../support/open-folder.ts'
import { startServer } from '../../support/server-process.ts'

describe('the table engine', () => {
  const database = useDatabase()

  it('leaves tables as they are by default', async () => {
    const engine = await openTableEngine('postgres', database.pool)
    expect(engine.prepare).to.equal(undefined)
  })

  it('refuses citus clearly where the extension is missing', async () => {
    let refusal: unknown
    try {
      await openTableEngine('citus', database.pool)
    } catch (error) {
      refusal = error
    }
    expect(refusal).to.be.instanceOf(TableEngineError)
    expect((refusal as Error).message)
      .to.include('create extension citus')
      .and.include('postgres')
  })

  it('ends the start of the service and of a worker in that one sentence', async () => {
    const dataDir = await makeOpenFolder('citus-')
    const settings = {
      TABLE_ENGINE: 'citus',
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      AUTH_SECRET: 'x'.repeat(32),
      ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
      LOG_LEVEL: 'silent',
    }
    try {
      const service: unknown = await startServer(settings).catch((error: unknown) => error)
      const { code, stderr } = await runCli(['worker'], settings)
      expect(code).to.equal(2)
      for (const told of [(service as Error).message, stderr]) {
        expect(told)
          .to.include('TABLE_ENGINE is citus, but')
          .and.not.match(/^ +at /m)
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })

  it('distributes the staging table by its row number, whatever the schema is called', async () => {
    const asked: unknown[] = []
    const query = async (...given: unknown[]) => {
      asked.push(given)
      return { rows: [{ installed: true }] }
    }
    const engine = await openTableEngine('citus', { query } as unknown as Pool)
    asked.length = 0
    await engine.prepare?.({ query } as unknown as ClientBase, {
      schema: 'e"1',
      table: 'staging-x',
    })
    expect(asked).to.deep.equal([
      [`select create_distributed_table($1::regclass, '_row')`, ['"e""1"."staging-x"']],
    ])
  })

  const citusUrl = process.env['TEST_CITUS_URL']
  if (citusUrl !== undefined && citusUrl !== '') {
    it('spreads a table over a real cluster', async () => {
      const pool = new Pool({ connectionString: citusUrl, max: 1 })
      try {
        const engine = await openTableEngine('citus', pool)
        await pool.query('create table staging_test (_row bigint not null, a text)')
        const client = await pool.connect()
        await engine.prepare?.(client, { schema: 'public', table: 'staging_test' })
        client.release()
        const { rows } = await pool.query(
          `select partmethod from pg_dist_partition where logicalrelid = 'staging_test'::regclass`,
        )
        expect(rows).to.deep.equal([{ partmethod: 'h' }])
      } finally {
        await pool.query('drop table if exists staging_test')
        await pool.end()
      }
    })
  }
})
