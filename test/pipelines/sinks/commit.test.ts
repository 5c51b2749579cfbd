import { expect } from 'chai'

import { OutcomeUnknownError } from '../../../pipelines/index.ts'
import { begin, commit } from '../../../pipelines/sinks/load-session.ts'
import { useDatabase } from '../../support/database.ts'
import { connectTo, failureOf } from '../engine/loading.ts'

describe('a commit', () => {
  const database = useDatabase()

  it('fails with an unknown outcome when the database cannot be asked', async () => {
    const { client, release } = await connectTo(database.pool)
    client.on('error', () => undefined)
    const transaction = await begin(client)
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const endBackend = () =>
      database.pool.query('select pg_terminate_backend($1, 5000)', [rows[0]!.pid])
    // The backend ends between the transaction's number and the word «commit».
    const cut = new Proxy(client, {
      get(real, name) {
        if (name !== 'query') return Reflect.get(real, name) as unknown
        return async (text: string) => {
          if (text === 'commit') await endBackend()
          return real.query(text)
        }
      },
    })
    const error = await failureOf(
      commit(cut, transaction, () => Promise.reject(new Error('gone')), 50),
    )
    release(true)
    expect(error).to.be.instanceOf(OutcomeUnknownError)
    expect((error as OutcomeUnknownError).transactionId).to.match(/^\d+$/)
  })
})
