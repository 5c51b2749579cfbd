import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'

import { createReceipts } from '../../src/domain/collections/receipts.ts'
import { withTransaction } from '../../src/db/transaction.ts'
import { parseEncryptionKeys } from '../../src/security/encryption-keys.ts'
import { createSecretBox } from '../../src/security/secret-box.ts'
import { useApp } from '../support/app.ts'
import { runCli } from '../support/cli.ts'
import { TEST_ENCRYPTION_KEYS } from '../support/factories.ts'
import { useFolder } from '../support/folder.ts'

const CSV = 'commune;habitants\nRennes;225081\n'

describe('cli receipt verify', () => {
  const app = useApp()
  const folder = useFolder('receipts')

  const kept = async (name: string, content: string) => {
    const path = join(folder.path, name)
    await writeFile(path, content)
    return path
  }

  async function given() {
    const box = createSecretBox(parseEncryptionKeys(TEST_ENCRYPTION_KEYS))
    const receipts = createReceipts({ pool: app.database.pool, secretBox: async () => box })
    const jws = await withTransaction(app.database.pool, (client) =>
      receipts.sign(client, {
        slot: 'd1c5f9a4-5a53-4a7e-9f63-0c9f4c9f2c11',
        filename: 'mars.csv',
        sizeBytes: CSV.length,
        sha256: createHash('sha256').update(CSV).digest('hex'),
        rows: 1,
        rejected: 0,
        receivedAt: '2026-04-02T09:30:00.000Z',
        shapeVersion: null,
      }),
    )
    return { jws, file: await kept('mars.csv', CSV), receipt: await kept('mars.jws', `${jws}\n`) }
  }

  const verify = (...args: readonly string[]) =>
    runCli(['receipt', 'verify', ...args], {
      DATABASE_URL: app.database.url,
      AUTH_SECRET: 'x'.repeat(32),
      ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    })
  const jwks = () => `${app.address}/.well-known/jwks.json`

  it('says that the file is the one that was received, by the keys that the service shows', async () => {
    const { file, receipt } = await given()
    const { code, stdout, stderr } = await verify(file, receipt, '--jwks', jwks())
    expect({ code, stdout, stderr }).to.deep.equal({
      code: 0,
      stdout:
        'The receipt is genuine and of this file: “mars.csv”, 32 bytes, received at ' +
        '2026-04-02T09:30:00.000Z; rows taken: 1, rejected: 0.\n',
      stderr: '',
    })
  })

  it('takes the keys from a file, or from the database of the service', async () => {
    const { file, receipt } = await given()
    const answer = await fetch(jwks())
    const keys = await kept('keys.json', await answer.text())
    expect((await verify(file, receipt, '--jwks', keys)).code).to.equal(0)
    expect((await verify(file, receipt)).code).to.equal(0)
  })

  it('tells a changed file, a changed receipt, a foreign receipt and none at all apart', async () => {
    const { jws, file, receipt } = await given()
    const [header, payload, signature] = jws.split('.')
    const more = Buffer.from(payload!, 'base64url').toString().replace('"rows":1', '"rows":9')
    const forged = [header, Buffer.from(more).toString('base64url'), signature].join('.')
    const tries = [
      [await kept('other.csv', `${CSV}Brest;139619\n`), receipt, jwks(), 'but NOT of this file'],
      [file, await kept('forged.jws', forged), jwks(), 'changed after it was signed'],
      [file, receipt, await kept('none.json', '{"keys": []}'), 'none of its keys'],
      [file, await kept('text.jws', 'received, thank you'), jwks(), 'NOT a receipt'],
    ] as const
    for (const [path, signed, keys, said] of tries) {
      const { code, stdout } = await verify(path, signed, '--jwks', keys)
      expect(stdout).to.include(said)
      expect(code, said).to.equal(1)
    }
  })

  it('says which file it cannot read, and that keys are none', async () => {
    const { file, receipt } = await given()
    const away = await verify(file, join(folder.path, 'away.jws'), '--jwks', jwks())
    expect(away.code).to.equal(2)
    expect(away.stderr)
      .to.include('away.jws')
      .and.not.match(/\n\s+at /)
    const { code, stderr } = await verify(file, receipt, '--jwks', file)
    expect(stderr).to.include('mars.csv is not JSON')
    expect(code).to.equal(2)
  })
})
