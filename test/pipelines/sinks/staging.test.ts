import { spawn } from 'node:child_process'
import { once } from 'node:events'

import { expect } from 'chai'

import { sweepStaging } from '../../../pipelines/index.ts'
import { useDatabase } from '../../support/database.ts'
import { until } from '../../support/patience.ts'
import { connectTo, jsonRows, loadInto, stagingTables } from '../engine/loading.ts'

const LOADER = new URL('endless-load.ts', import.meta.url).pathname

describe('the sweep of staging tables', () => {
  const database = useDatabase()
  const sweep = (schemas?: readonly string[]) =>
    sweepStaging(() => connectTo(database.pool), schemas)

  it('drops what a killed process left behind', async () => {
    const loader = spawn(process.execPath, [LOADER, database.url], { stdio: 'inherit' })
    await until('it loads', async () => (await stagingTables(database)).length === 1)
    loader.kill('SIGKILL')
    await once(loader, 'exit')
    await until('its table is dropped', async () => (await sweep(['public'])).length === 1)
    expect(await stagingTables(database)).to.deep.equal([])
    expect(await sweep()).to.deep.equal([])
  })

  it('leaves loads under way alone', async () => {
    let swept: string[] | null = null
    await loadInto(
      database,
      jsonRows(10, (row) => ({ id: row })),
      {
        target: {
          prepare: async () => {
            swept = await sweep()
          },
        },
      },
    )
    expect(swept).to.deep.equal([])
    expect((await database.pool.query('select from loaded')).rowCount).to.equal(10)
  })

  it('looks only into the schemas it was given', async () => {
    await database.pool.query('create table "staging-00000000-0000-0000-0000-000000000000" (a int)')
    expect(await sweep(['elsewhere'])).to.deep.equal([])
    expect(await sweep(['public'])).to.have.length(1)
  })

  it('never mistakes a table with a similar name', async () => {
    await database.pool.query('create table "staging-area" (a int)')
    expect(await sweep()).to.deep.equal([])
    expect(await stagingTables(database)).to.deep.equal(['staging-area'])
  })
})
