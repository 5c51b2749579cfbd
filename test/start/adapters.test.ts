import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'

import { addKeptEncryptionKey, openSecretBox } from '../../src/start/adapters.ts'
import { ConfigError, readConfig } from '../../src/config/config.ts'
import { useFolder } from '../support/folder.ts'

const OWNER = '0b0f9a10-58a7-4f6e-9a5f-3f6f0d7b8a11'

describe('what the settings choose', () => {
  const dataDir = useFolder('adapters', 'for each')
  const config = (env: Record<string, string> = {}) =>
    readConfig({ DATA_DIR: dataDir.path, ...env })

  it('makes a master key once, for its owner alone', async () => {
    const sealed = (await openSecretBox(config())()).seal('secret', OWNER)
    expect((await openSecretBox(config())()).open(sealed, OWNER)).to.equal('secret')
    expect((await stat(join(dataDir.path, 'encryption-keys'))).mode & 0o777).to.equal(0o600)
  })

  it('encrypts with a key that another process added, and still decrypts with the old one', async () => {
    const running = openSecretBox(config())
    const before = await running()
    const old = before.seal('secret', OWNER)
    await addKeptEncryptionKey(dataDir.path)
    const after = await running()
    expect(after.currentKeyId).to.not.equal(before.currentKeyId)
    expect(after.open(old, OWNER)).to.equal('secret')
    expect(await running()).to.equal(after)
  })

  const refusal = async (work: () => unknown) => {
    try {
      await work()
    } catch (error) {
      expect(error).to.be.instanceOf(ConfigError)
      return (error as Error).message
    }
    throw new Error('It was accepted')
  }

  it('says that the stored keys cannot be read', async () => {
    await writeFile(join(dataDir.path, 'encryption-keys'), 'spoilt')
    expect(await refusal(openSecretBox(config()))).to.include('ENCRYPTION_KEYS')
  })
})
