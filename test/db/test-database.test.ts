import { expect } from 'chai'
import { Client } from 'pg'

import { openClone, type OpenDatabase, useDatabase } from '../support/database.ts'

const GRACE_MS = 80

describe('the database of a test file', () => {
  const first = useDatabase()
  const second = useDatabase()

  it('is migrated, and shared with no other file', async () => {
    await first.pool.query(
      "insert into enterprises (name, account_type) values ('Only here', 'enterprise')",
    )
    const { rows } = await second.pool.query('select name from enterprises')
    expect(rows).to.deep.equal([])
    expect(await first.knex('enterprises').pluck('name')).to.deep.equal(['Only here'])
  })

  it('fails its file when a connection of its own was left open', async () => {
    const clone = await openClone()
    const forgotten = await connect(clone)
    await forgotten.query("select 'forgotten'")
    expect(await complaint(clone)).to.match(/left 1 connection\(s\) open:\n.*forgotten/)
  })

  it('fails its file when a transaction was left open', async () => {
    const clone = await openClone()
    const forgotten = await connect(clone)
    await forgotten.query('begin')
    expect(await complaint(clone)).to.match(/left 1 connection\(s\) in a transaction/)
  })

  it('fails its file, and does not hang, when a client was not given back to the pool', async () => {
    const clone = await openClone()
    await clone.pool().connect()
    expect(await complaint(clone)).to.match(/left 1 connection\(s\) taken from the pool/)
  })

  it('passes when all connections were closed', async () => {
    const clone = await openClone()
    const client = await connect(clone)
    await client.end()
    await clone.pool().query('select 1')
    await clone.knex().raw('select 1')
    await clone.close()
  })
})

async function connect(clone: OpenDatabase): Promise<Client> {
  const client = new Client(clone.url)
  // Its end comes when the database is dropped.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function complaint(clone: OpenDatabase): Promise<string> {
  try {
    await clone.close(GRACE_MS)
  } catch (error) {
    return String(error)
  }
  throw new Error('It was expected to complain')
}
