import { expect } from 'chai'

import { generateEncryptionKey } from '../../src/security/encryption-keys.ts'
import { runCli } from '../support/cli.ts'
import { useDatabase } from '../support/database.ts'
import { failure } from '../support/failure.ts'
import { startServer } from '../support/server-process.ts'
import { createFactories, TEST_ENCRYPTION_KEYS } from '../support/factories.ts'

const [testKeyId] = TEST_ENCRYPTION_KEYS.split(':')

describe('another master key under a known id', () => {
  const database = useDatabase()
  const build = createFactories(() => database.pool)
  const other = generateEncryptionKey(testKeyId!)
  const call = (verb: string, keys: string) =>
    runCli(['keys', verb], {
      DATABASE_URL: database.url,
      AUTH_SECRET: 'x'.repeat(32),
      ENCRYPTION_KEYS: keys,
    })

  it('is found when it cannot decrypt what was encrypted before check values were kept', async () => {
    await build.connection()
    const { code, stdout } = await call('check', other)
    expect(code).to.equal(1)
    expect(stdout).to.equal(
      'test: NOT the key that this database has been used with under that id, current; ' +
        '1 stored keys are encrypted with it, of which 1 cannot be decrypted\n',
    )
  })

  it('is right when it is the one that was used', async () => {
    const { code, stdout, stderr } = await call('check', TEST_ENCRYPTION_KEYS)
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
    expect(stdout).to.equal(
      'test: the key that this database knows, current; 1 stored keys are encrypted with it\n',
    )
  })

  it('stops the start and a rotation with a sentence, also when nothing is encrypted with it', async () => {
    expect((await call('rotate', TEST_ENCRYPTION_KEYS)).code, 'its first use').to.equal(0)
    await database.pool.query('delete from connections')
    const started = await failure(
      startServer({
        DATABASE_URL: database.url,
        AUTH_SECRET: 'x'.repeat(32),
        ENCRYPTION_KEYS: other,
      }),
    )
    const rotated = await call('rotate', other)
    expect(rotated.code).to.equal(2)
    for (const said of [started.message, rotated.stderr]) {
      expect(said).to.include("the key 'test' is not the one that this database has been used with")
      expect(said).not.to.match(/\n\s+at /)
    }
  })

  it('is looked at without being put on record: it is new until something uses it', async () => {
    const fresh = generateEncryptionKey('k7')
    for (const tried of [fresh, generateEncryptionKey('k7'), fresh]) {
      const { code, stdout } = await call('check', `${TEST_ENCRYPTION_KEYS},${tried}`)
      expect(code).to.equal(0)
      expect(stdout).to.include(
        'k7: a key that this database has not been used with yet; 0 stored keys are encrypted with it\n',
      )
    }
  })

  it('is missing when something needs it', async () => {
    await build.connection()
    const { code, stdout } = await call('check', generateEncryptionKey('k9'))
    expect(code).to.equal(1)
    expect(stdout).to.include('test: NOT configured; 1 stored keys are encrypted with it')
  })
})

describe('cli keys rotate', () => {
  const database = useDatabase()
  const build = createFactories(() => database.pool)
  const newKey = generateEncryptionKey('k2')
  const rotate = (keys: string) =>
    runCli(['keys', 'rotate'], {
      DATABASE_URL: database.url,
      AUTH_SECRET: 'x'.repeat(32),
      ENCRYPTION_KEYS: keys,
    })
  const keyIds = async () => {
    const { rows } = await database.pool.query('select api_key_key_id from connections')
    return rows.map((row) => row.api_key_key_id as string)
  }

  before(async () => {
    for (let n = 0; n < 3; n++) await build.connection()
  })

  it('names the master key that is missing', async () => {
    const { code, stdout, stderr } = await rotate(newKey)
    expect(code).to.equal(2)
    expect(stdout).to.equal('')
    expect(stderr)
      .to.include("'test' (3 connections)")
      .and.not.match(/\n\s+at /)
    expect(await keyIds()).to.deep.equal(['test', 'test', 'test'])
  })

  it('refuses master keys that cannot be read, and does not show them', async () => {
    const { code, stderr } = await rotate(`k2:${'not-a-key'.repeat(5)}`)
    expect(code).to.equal(2)
    expect(stderr).to.include('ENCRYPTION_KEYS').and.not.include('not-a-key')
  })

  it('encrypts all keys again and says how many', async () => {
    const first = await rotate(`${newKey},${TEST_ENCRYPTION_KEYS}`)
    expect(first.stderr).to.equal('')
    expect(first.code).to.equal(0)
    expect(first.stdout).to.match(/^Re-encrypted 3 API keys with the master key 'k2'; 0 /)
    expect(await keyIds()).to.deep.equal(['k2', 'k2', 'k2'])
    expect((await rotate(newKey)).stdout).to.match(
      /^Re-encrypted 0 .* 3 were already encrypted with it\n$/,
    )
  })
})
