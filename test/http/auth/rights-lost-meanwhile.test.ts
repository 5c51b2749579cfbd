import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'

import { expect } from 'chai'

import type { Actor } from '../../../src/domain/actor.ts'
import { useApp } from '../../support/app.ts'
import { created } from '../../support/sources.ts'
import { until } from '../../support/patience.ts'
import { objectsIn, uploadsUnderWay } from '../../support/uploads.ts'

describe('a request that takes long, and whose caller loses their rights meanwhile', () => {
  const app = useApp({ env: { WORKER: 'false' } })

  interface Sent {
    readonly sending: ClientRequest
    readonly answered: Promise<readonly [status: number | undefined, code: string | undefined]>
  }

  /** One that is begun, and whose caller was let in. */
  async function begin(
    user: Actor,
    path: string,
    type: string,
    first: string,
  ): Promise<Sent & { uuid: string }> {
    const { token, uuid } = await created(
      app.client.as(user).post('/auth/tokens', { name: 'script' }),
    )
    const headers = {
      'x-app-access-token': token as string,
      'content-type': type,
      'x-filename': 'a.csv',
    }
    const sending = request(app.address + path, { method: 'POST', headers, agent: false })
    const answered = once(sending, 'response').then(async ([answer]) => {
      const { statusCode } = answer as IncomingMessage
      const text = Buffer.concat(await (answer as IncomingMessage).toArray()).toString()
      return [statusCode, /"code":"(\w+)"/.exec(text)?.[1]] as const
    })
    sending.write(first)
    await until('the caller was let in', async () => {
      const { rowCount } = await app.database.pool.query(
        'select from personal_tokens where uuid = $1 and last_used_at is not null',
        [uuid],
      )
      return rowCount === 1
    })
    return { sending, answered, uuid: uuid as string }
  }

  const change = (user: Actor, set: string) =>
    app.database.pool.query(`update users set ${set} where id = $1`, [user.id])

  const documentsOf = async (user: Actor) =>
    (
      await app.database.pool.query(
        'select from documents d join users_documents o on o.document_id = d.id where o.user_id = $1',
        [user.id],
      )
    ).rowCount

  it('is refused where its body came slowly, and does nothing', async () => {
    const boss = await app.build.user({ role: 'super-admin' })
    const email = 'made-later@test.test'
    const body = JSON.stringify({
      email,
      name: 'Later',
      role: 'super-admin',
      accountType: 'personal',
    })
    const { sending, answered } = await begin(boss, '/users', 'application/json', body.slice(0, 20))
    await change(boss, `role_type = 'client'`)
    sending.end(body.slice(20))
    expect(await answered).to.deep.equal([403, 'ForbiddenException'])
    const made = await app.database.pool.query('select from users where email = $1', [email])
    expect(made.rowCount).to.equal(0)
  })

  it('leaves no document of a user who was disabled while it came', async () => {
    const user = await app.build.user()
    const { sending, answered } = await begin(user, '/documents', 'text/csv', 'a;b\n')
    await until('it is being stored', async () => (await uploadsUnderWay(app)) === 1)
    await change(user, 'disabled_at = now()')
    sending.end('1;2\n')
    expect(await answered).to.deep.equal([401, 'UnauthorizedException'])
    expect(await documentsOf(user)).to.equal(0)
    await until('nothing is left', async () => (await uploadsUnderWay(app)) === 0)
    expect(await objectsIn(app.dataDir)).to.deep.equal([])
  })

  it('puts no document where its owner is no more', async () => {
    const user = await app.build.user()
    const { id: elsewhere } = await app.build.enterprise()
    const { sending, answered } = await begin(user, '/documents', 'text/csv', 'a;b\n')
    await until('it is being stored', async () => (await uploadsUnderWay(app)) === 1)
    await change(user, `enterprise_id = ${elsewhere}`)
    sending.end('1;2\n')
    // It depends on whether the upload or the look at its caller comes first.
    expect((await answered)[0]).to.be.oneOf([201, 403])
    const { rowCount } = await app.database.pool.query(
      'select from documents where enterprise_id = $1',
      [user.enterprise!.id],
    )
    expect(rowCount).to.equal(0)
  })

  it('ends while it comes, once the token with which it was begun is revoked', async () => {
    const user = await app.build.user()
    const { answered, uuid } = await begin(user, '/documents', 'text/csv', 'a;b\n')
    await until('it is being stored', async () => (await uploadsUnderWay(app)) === 1)
    await app.client.as(user).delete(`/auth/tokens/${uuid}`)
    expect(await answered).to.deep.equal([401, 'UnauthorizedException'])
    expect(await documentsOf(user)).to.equal(0)
  })
})
