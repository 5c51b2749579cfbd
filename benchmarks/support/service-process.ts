import { randomBytes } from 'node:crypto'

import { createTokens } from '../../src/security/tokens.ts'
import { type ListeningProcess, listeningProcess } from './listening-process.ts'

export const SERVICE = new URL('../../src/main.ts', import.meta.url)

export interface ServiceProcess extends ListeningProcess {
  /** Any user's, whoever made them. */
  tokenOf(userUuid: string): Promise<string>
}

/** The service as it runs, on a migrated database of its own. */
export async function serviceProcess(
  databaseUrl: string,
  dataDir: string,
): Promise<ServiceProcess> {
  const secret = randomBytes(32).toString('hex')
  const tokens = createTokens({
    keys: { kind: 'secret', secret },
    issuer: null,
    audience: null,
    ttlMs: 3_600_000,
  })
  const listening = await listeningProcess(SERVICE, {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    AUTH_SECRET: secret,
    ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
  })
  return { ...listening, tokenOf: async (user) => (await tokens.issue(user)).token }
}
