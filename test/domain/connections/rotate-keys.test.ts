import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { createConnections } from '../../../src/domain/connections/create-connections.ts'
import {
  KeyRotationError,
  rotateConnectionKeys,
} from '../../../src/domain/connections/rotate-keys.ts'
import { ConnectorRegistry } from '../../../src/connectors/registry.ts'
import {
  generateEncryptionKey,
  parseEncryptionKeys,
} from '../../../src/security/encryption-keys.ts'
import { createSecretBox, type SecretBoxProvider } from '../../../src/security/secret-box.ts'
import { useDatabase } from '../../support/database.ts'
import { createFactories, TEST_ENCRYPTION_KEYS } from '../../support/factories.ts'
import { until } from '../../support/patience.ts'

const NEW_KEY = generateEncryptionKey('new')
const BOTH = `${NEW_KEY},${TEST_ENCRYPTION_KEYS}`

const boxOf = (keys: string): SecretBoxProvider => {
  const box = createSecretBox(parseEncryptionKeys(keys))
  return async () => box
}

const untouched = ({ updated_at, uuid }: { updated_at: Date; uuid: string }) => [uuid, updated_at]

describe('rotating master keys', () => {
  const database = useDatabase()
  const build = createFactories(() => database.pool)
  afterEach(() => database.pool.query('delete from connections'))

  const rows = async () =>
    (await database.pool.query('select * from connections order by id')).rows as {
      uuid: string
      api_key_ciphertext: Buffer
      api_key_iv: Buffer
      api_key_key_id: string
      updated_at: Date
    }[]
  const openAll = async (keys: string) => {
    const box = await boxOf(keys)()
    return (await rows()).map((row) =>
      box.open(
        { ciphertext: row.api_key_ciphertext, iv: row.api_key_iv, keyId: row.api_key_key_id },
        row.uuid,
      ),
    )
  }
  const manyConnections = async (count: number) => {
    const enterprise = await build.enterprise()
    const keys: string[] = []
    for (let n = 0; n < count; n++) {
      keys.push((await build.connection({ enterprise })).apiKey)
    }
    return { keys, enterprise }
  }

  it('encrypts all of them again, in several batches, and leaves the rest of the rows unchanged', async () => {
    const { keys } = await manyConnections(450)
    const before = await rows()
    const done = await rotateConnectionKeys(database.knex, boxOf(BOTH), null)
    expect(done).to.deep.equal({ keyId: 'new', rotated: 450, current: 0 })
    expect(await openAll(NEW_KEY)).to.deep.equal(keys)
    expect((await rows()).map(untouched)).to.deep.equal(before.map(untouched))
  })

  it('finds nothing left to do the second time', async () => {
    await manyConnections(3)
    await rotateConnectionKeys(database.knex, boxOf(BOTH), null)
    const again = await rotateConnectionKeys(database.knex, boxOf(BOTH), null)
    expect(again).to.deep.equal({ keyId: 'new', rotated: 0, current: 3 })
  })

  it('goes on while keys are replaced, and loses none of them', async () => {
    const { keys, enterprise } = await manyConnections(250)
    const actor = await build.user({ enterprise })
    // A service that was not told of the new master key yet.
    const connections = createConnections({
      knex: database.knex,
      secretBox: boxOf(TEST_ENCRYPTION_KEYS),
      registry: new ConnectorRegistry([]),
    })
    const uuids = (await rows()).map(({ uuid }) => uuid)
    const replaceSome = async () => {
      for (let at = 0; at < uuids.length; at += 5) {
        keys[at] = `replaced-${at}`
        await connections.update(actor, uuids[at]!, { apiKey: keys[at]! })
        await sleep(1)
      }
    }
    await Promise.all([
      replaceSome(),
      rotateConnectionKeys(database.knex, boxOf(BOTH), null),
      rotateConnectionKeys(database.knex, boxOf(BOTH), null),
    ])
    expect(await openAll(BOTH)).to.deep.equal(keys)
  })

  it('waits for keys that are being stored with the earlier master key, and encrypts them again', async () => {
    const { enterprise } = await manyConnections(1)
    const actor = await build.user({ enterprise })
    const { uuid } = (await rows())[0]!
    let kept = TEST_ENCRYPTION_KEYS
    const box: SecretBoxProvider = () => boxOf(kept)()
    const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
    let asked = 0
    const connections = createConnections({
      knex: database.knex,
      async secretBox() {
        const present = await box()
        begun[asked++]!.resolve()
        await until('the rotation waits for it', rotationWaits)
        return present
      },
      registry: new ConnectorRegistry([]),
    })
    const rotationWaits = async () => {
      const { rowCount } = await database.pool.query(
        `select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rowCount! > 0
    }
    const given = { name: 'Late', baseUrl: 'https://forms.example', apiKey: 'created-late' }
    const writing = Promise.all([
      connections.create(actor, given),
      connections.update(actor, uuid, { apiKey: 'replaced-late' }),
    ])
    await Promise.all(begun.map(({ promise }) => promise))
    const done = await rotateConnectionKeys(database.knex, box, async () => {
      kept = BOTH
    })
    await writing
    expect(done).to.deep.equal({ keyId: 'new', rotated: 2, current: 0 })
    expect((await openAll(NEW_KEY)).toSorted()).to.deep.equal(['created-late', 'replaced-late'])
  })

  it('refuses when a master key is missing, names it and changes nothing', async () => {
    await manyConnections(2)
    const before = await rows()
    let made = false
    const failure = await rotateConnectionKeys(database.knex, boxOf(NEW_KEY), async () => {
      made = true
    }).catch((error: unknown) => error as Error)
    expect(failure).to.be.instanceOf(KeyRotationError)
    expect((failure as Error).message).to.include("'test' (2 connections)")
    expect(made).to.equal(false)
    expect(await rows()).to.deep.equal(before)
  })

  it('names the connection whose stored key was altered', async () => {
    await manyConnections(1)
    const { uuid } = await build.connection()
    await database.pool.query(
      `update connections set api_key_ciphertext =
         set_byte(api_key_ciphertext, 0, get_byte(api_key_ciphertext, 0) # 1) where uuid = $1`,
      [uuid],
    )
    const failure = await rotateConnectionKeys(database.knex, boxOf(BOTH), null).catch(
      (error: unknown) => error as Error,
    )
    expect(failure).to.be.instanceOf(KeyRotationError)
    expect((failure as Error).message).to.include(uuid)
  })
})
