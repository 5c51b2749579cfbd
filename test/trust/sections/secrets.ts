import { expect } from 'chai'
import { base64url, SignJWT, UnsecuredJWT } from 'jose'

import type { Section } from '../section.ts'
import { type Canary, startCanary } from '../tools/canary.ts'
import { openWorld, type World } from '../world.ts'

export const secrets: Section = {
  name: 'secrets',
  about: 'forged tokens, rights taken away, tampered ciphertext',
  async run(trials) {
    await using world = await openWorld(trials)
    await using canary = await startCanary()
    for (const [name, token] of Object.entries(await forgedTokens(world, canary))) {
      await trials.attempt('forged tokens', async () => {
        const answer = await world.client
          .withHeaders({ 'x-app-access-token': token })
          .get('/auth/me')
        expect(answer.status, name).to.equal(401)
      })
    }
    await trials.attempt('no key is fetched from where a token says', async () => {
      expect(canary.visits).to.deep.equal([])
    })
    await trials.attempt('a role claimed in a token counts for nothing', () =>
      expectNoClaims(world),
    )
    await trials.attempt('demoted and disabled at once', () => expectRightsNow(world))
    await trials.attempt('the same key twice gives different bytes', () => expectFreshBytes(world))
    await trials.attempt('a flipped bit is refused', () =>
      expectTamperedRefused(
        world,
        `set api_key_ciphertext = set_byte(api_key_ciphertext, 0,
        get_byte(api_key_ciphertext, 0) # 1)`,
      ),
    )
    await trials.attempt('a key copied to another connection is refused', () =>
      expectTamperedRefused(
        world,
        `set (api_key_ciphertext, api_key_iv) =
        (select other.api_key_ciphertext, other.api_key_iv from connections other
         where other.id <> connections.id order by other.id limit 1)`,
      ),
    )
    await trials.attempt('nothing left behind', () => world.assertInvariants())
  },
}

async function forgedTokens(
  { authSecret, people }: World,
  canary: Canary,
): Promise<Record<string, string>> {
  const subject = people.superAdmin.uuid
  const secret = Buffer.from(authSecret)
  const now = Math.floor(Date.now() / 1000)
  const claims = (header: Record<string, unknown> = {}) =>
    new SignJWT()
      .setProtectedHeader({ alg: 'HS256', ...header })
      .setSubject(subject)
      .setExpirationTime('1h')
  const genuine = await claims().sign(secret)
  const [header = '', payload = '', signature = ''] = genuine.split('.')
  const encode = (value: object) => base64url.encode(JSON.stringify(value))
  return {
    'algorithm none': new UnsecuredJWT().setSubject(subject).setExpirationTime('1h').encode(),
    'algorithm NONE': `${encode({ alg: 'NONE' })}.${payload}.`,
    'no signature': `${header}.${payload}.`,
    'another secret': await claims().sign(Buffer.from('x'.repeat(48))),
    'an empty secret': await claims().sign(Buffer.from('\0'.repeat(32))),
    HS512: await claims({ alg: 'HS512' }).sign(Buffer.concat([secret, secret])),
    'RS256 in name': `${encode({ alg: 'RS256' })}.${payload}.${signature}`,
    'another payload': `${header}.${encode({ sub: subject, exp: now + 9999 })}.${signature}`,
    'a key of its own': await claims({
      jwk: { kty: 'oct', k: base64url.encode('x'.repeat(48)) },
    }).sign(Buffer.from('x'.repeat(48))),
    'a key elsewhere': await claims({
      jku: `http://127.0.0.1:${canary.port}/jwks`,
      x5u: `http://127.0.0.1:${canary.port}/x5u`,
      kid: '../../../../dev/null',
    }).sign(Buffer.from('x'.repeat(48))),
    'expired two minutes ago': await claims()
      .setExpirationTime(now - 120)
      .sign(secret),
    'not before two minutes from now': await claims()
      .setNotBefore(now + 120)
      .sign(secret),
    'without an end': await new SignJWT()
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(subject)
      .sign(secret),
    'without a subject': await new SignJWT()
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(secret),
    'a subject that is SQL': await claims().setSubject("' or true --").sign(secret),
    'a critical extension': await claims({ crit: ['b64'], b64: false })
      .sign(secret)
      .catch(() => 'x'),
    nonsense: 'a.b.c',
  }
}

async function expectNoClaims({ authSecret, people, client }: World): Promise<void> {
  const token = await new SignJWT({ role: { type: 'super-admin' }, enterprise_id: 1, admin: true })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(people.enterpriseClient.uuid)
    .setExpirationTime('1h')
    .sign(Buffer.from(authSecret))
  const as = client.withHeaders({ 'x-app-access-token': token })
  expect((await as.get('/connections')).status).to.equal(403)
  expect((await as.get('/auth/me')).body.role.type).to.equal('client')
}

async function expectRightsNow({ build, client, people, pool }: World): Promise<void> {
  const admin = await build.user({ role: 'admin', enterprise: people.enterprise })
  const status = async () => (await client.as(admin).get('/connections')).status
  expect(await status()).to.equal(200)
  await pool.query(`update users set role_type = 'client' where uuid = $1`, [admin.uuid])
  expect(await status(), 'demoted').to.equal(403)
  await pool.query('update users set disabled_at = now() where uuid = $1', [admin.uuid])
  expect(await status(), 'disabled').to.equal(401)
}

async function expectFreshBytes({ client, people, pool }: World): Promise<void> {
  const bytes: string[] = []
  for (const name of ['first', 'second']) {
    const created = await client.as(people.admin).post('/connections', {
      name,
      baseUrl: 'https://forms.example.com',
      apiKey: 'frm_the_same_key_twice',
    })
    expect(created.status, created.text).to.equal(201)
    const { rows } = await pool.query<{ bytes: Buffer }>(
      'select api_key_iv || api_key_ciphertext as bytes from connections where uuid = $1',
      [created.body.uuid],
    )
    bytes.push(rows[0]!.bytes.toString('hex'))
  }
  expect(bytes[0]).not.to.equal(bytes[1])
}

/** Whoever writes in the database cannot make the service send a key that is not the row's own. */
async function expectTamperedRefused(world: World, change: string): Promise<void> {
  const { build, people, forms, pool, client } = world
  const given = { enterprise: people.enterprise, baseUrl: forms.url, apiKey: forms.apiKey }
  await build.connection(given)
  const { uuid } = await build.connection(given)
  await pool.query(`update connections ${change} where uuid = $1`, [uuid])
  const before = forms.requests().length
  const answer = await world.answers.whileFailing(() =>
    client.as(people.admin).get(`/connections/${uuid}/browse`),
  )
  expect(answer.status, answer.text).to.be.oneOf([502, 503])
  expect(forms.requests().length, 'requests to the remote application').to.equal(before)
}
