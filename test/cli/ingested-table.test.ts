import { spawn } from 'node:child_process'
import { once } from 'node:events'

import { expect } from 'chai'

import { dropAbandoned } from '../../src/cli/tables/ingested-table.ts'
import {
  bytesOf,
  connectTo,
  failureOf,
  jsonRows,
  loadInto,
  stagingTables,
  targetIn,
} from '../pipelines/engine/loading.ts'
import { useDatabase } from '../support/database.ts'
import { until } from '../support/patience.ts'

const LOADER = new URL('endless-load.ts', import.meta.url).pathname

describe('tables that a load of the command line has left behind', () => {
  const database = useDatabase()
  const drop = (schema = 'public') => dropAbandoned(() => connectTo(database.pool), schema)

  it('are dropped once the session that filled them has ended', async () => {
    const loader = spawn(process.execPath, [LOADER, database.url], { stdio: 'inherit' })
    await until('its table is there', async () => (await stagingTables(database)).length === 1)
    expect(await drop()).to.deep.equal([])
    loader.kill('SIGKILL')
    await once(loader, 'exit')
    await until('it is dropped', async () => (await drop()).length === 1)
    expect(await stagingTables(database)).to.deep.equal([])
    expect(await drop()).to.deep.equal([])
  })

  it('stay while their load is under way', async () => {
    const { complete } = await targetIn(database)
    let dropped: string[] | null = null
    await loadInto(
      database,
      jsonRows(10, (row) => ({ id: row })),
      {
        target: {
          async complete(client, filled) {
            dropped = await drop()
            return complete(client, filled)
          },
        },
      },
    )
    expect(dropped).to.deep.equal([])
    expect((await database.pool.query('select from loaded')).rowCount).to.equal(10)
  })

  it('are looked for in one schema, and known by the whole of their name', async () => {
    await database.pool.query('create table public."staging-1-1" (a int)')
    await database.pool.query('create table public."staging-area" (a int)')
    expect(await drop('elsewhere')).to.deep.equal([])
    expect(await drop()).to.deep.equal(['staging-1-1'])
    expect(await stagingTables(database)).to.deep.equal(['staging-area'])
  })
})

describe('a plain table that a view depends on', () => {
  const database = useDatabase()

  it('is not replaced, and the view is named', async () => {
    await loadInto(database, bytesOf('[{"a":1}]'))
    await database.pool.query('create view public.on_it as select a from loaded')
    const error = await failureOf(loadInto(database, bytesOf('[{"a":2}]')))
    expect((error as Error).message).to.contain('on_it')
  })
})
