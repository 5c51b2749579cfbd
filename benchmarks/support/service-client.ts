import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'

import { createPool } from '../../src/db/pool.ts'
import { createTokens } from '../../src/security/tokens.ts'
import { type ListeningProcess, listeningProcess } from './listening-process.ts'
import { postForm } from './post-form.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url)

/** The service in a process of its own, and an admin of it. */
export interface BenchedService extends AsyncDisposable {
  readonly pid: number
  readonly schema: string
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Uploads a file into a new source; its uuid. */
  createSource(path: string, tableName: string): Promise<string>
}

/** On a migrated database. */
export async function benchedService(url: string, dataDir: string): Promise<BenchedService> {
  const secret = randomBytes(32).toString('hex')
  const { uuid, enterpriseId } = await createAdmin(url)
  const tokens = createTokens({
    keys: { kind: 'secret', secret },
    issuer: null,
    audience: null,
    ttlMs: 3_600_000,
  })
  const { token } = await tokens.issue(uuid)
  const process: ListeningProcess = await listeningProcess(MAIN, {
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    AUTH_SECRET: secret,
    ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
  })

  const call: BenchedService['fetch'] = async (path, init = {}) => {
    const headers = { 'x-app-access-token': token, 'accept-encoding': 'identity' }
    const response = await fetch(process.address + path, { ...init, headers })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response
  }
  return {
    pid: process.pid,
    schema: `enterprise_${enterpriseId}`,
    fetch: call,
    async createSource(path, tableName) {
      const answer = await postForm(
        `${process.address}/sources`,
        token,
        { source: 'file', name: tableName, tableName },
        {
          name: 'bench.csv',
          sizeBytes: (await stat(path)).size,
          content: createReadStream(path, { highWaterMark: 1024 * 1024 }),
        },
      )
      return (JSON.parse(answer) as { uuid: string }).uuid
    },
    [Symbol.asyncDispose]: () => process[Symbol.asyncDispose](),
  }
}

async function createAdmin(url: string): Promise<{ uuid: string; enterpriseId: number }> {
  const pool = createPool(url, { max: 1 })
  try {
    const { rows } = await pool.query<{ uuid: string; enterpriseId: number }>(
      `with enterprise as (
         insert into enterprises (name, account_type) values ('Bench', 'enterprise') returning id)
       insert into users (email, name, role_type, account_type, enterprise_id)
       select 'bench@demo.test', 'Bench', 'admin', 'enterprise', id from enterprise
       returning uuid, enterprise_id as "enterpriseId"`,
    )
    return rows[0]!
  } finally {
    await pool.end()
  }
}
