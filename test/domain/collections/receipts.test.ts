import { expect } from 'chai'

import {
  createReceipts,
  readVerifyingKeys,
  renewSigningKey,
} from '../../../src/domain/collections/receipts.ts'
import { withTransaction } from '../../../src/db/transaction.ts'
import {
  generateEncryptionKey,
  parseEncryptionKeys,
} from '../../../src/security/encryption-keys.ts'
import { type Receipt, verifyReceipt } from '../../../src/security/receipt.ts'
import { createSecretBox, type SecretBoxProvider } from '../../../src/security/secret-box.ts'
import { useDatabase } from '../../support/database.ts'
import { TEST_ENCRYPTION_KEYS } from '../../support/factories.ts'

const RECEIPT: Receipt = {
  slot: 'd1c5f9a4-5a53-4a7e-9f63-0c9f4c9f2c11',
  filename: 'mars.csv',
  sizeBytes: 5120,
  sha256: 'ab'.repeat(32),
  rows: 240,
  rejected: 0,
  receivedAt: '2026-04-02T09:30:00.000Z',
  shapeVersion: 3,
}

const boxOf = (keys: string): SecretBoxProvider => {
  const box = createSecretBox(parseEncryptionKeys(keys))
  return async () => box
}

describe('receipts', () => {
  const database = useDatabase()
  afterEach(() => database.pool.query('delete from signing_keys'))

  const open = (keys = TEST_ENCRYPTION_KEYS) =>
    createReceipts({ pool: database.pool, secretBox: boxOf(keys) })
  const sign = (receipts = open()) =>
    withTransaction(database.pool, (client) => receipts.sign(client, RECEIPT))

  it('say what was signed, by whichever process', async () => {
    const receipts = open()
    const jws = await sign(receipts)
    expect(jws.split('.')).to.have.length(3)
    const keys = await receipts.keys()
    expect(await verifyReceipt(jws, keys)).to.deep.equal({ kind: 'genuine', receipt: RECEIPT })
  })

  it('are signed with one key, though several processes need the first one at once', async () => {
    await Promise.all(Array.from({ length: 8 }, () => sign()))
    expect(await readVerifyingKeys(database.pool)).to.have.length(1)
  })

  it('are verified after the key was renewed, and the private half of the former one is gone', async () => {
    const before = await sign()
    expect(await renewSigningKey(database.pool, boxOf(TEST_ENCRYPTION_KEYS))).to.equal(true)
    const after = await sign()
    const keys = await readVerifyingKeys(database.pool)
    expect(keys).to.have.length(2)
    for (const jws of [before, after]) {
      expect((await verifyReceipt(jws, keys)).kind).to.equal('genuine')
    }
    const { rows } = await database.pool.query(
      'select uuid from signing_keys where private_ciphertext is not null',
    )
    expect(rows).to.deep.equal([{ uuid: keys[0]!.kid }])
  })

  it('are signed with a new key once the master key of the former one is lost', async () => {
    const before = await sign()
    const after = await sign(open(generateEncryptionKey('other')))
    const keys = await readVerifyingKeys(database.pool)
    for (const jws of [before, after]) {
      expect((await verifyReceipt(jws, keys)).kind).to.equal('genuine')
    }
  })

  it('are refused when a character was changed, when nobody knows their key, and when they are none', async () => {
    const jws = await sign()
    const keys = await readVerifyingKeys(database.pool)
    const [header, payload, signature] = jws.split('.')
    const altered = Buffer.from(payload!, 'base64url').toString().replace('240', '241')
    const forged = [header, Buffer.from(altered).toString('base64url'), signature].join('.')
    const unsigned = `${Buffer.from(JSON.stringify({ alg: 'none', kid: keys[0]!.kid })).toString('base64url')}.${payload}.`
    const kinds = async (texts: readonly string[], known = keys) =>
      Promise.all(texts.map(async (text) => (await verifyReceipt(text, known)).kind))
    expect(await kinds([forged, unsigned])).to.deep.equal(['altered', 'altered'])
    expect(await kinds([jws], [])).to.deep.equal(['unknown-key'])
    expect(await kinds(['', 'a receipt', '{"receipt": 1}'])).to.deep.equal(
      Array(3).fill('unreadable'),
    )
  })
})
