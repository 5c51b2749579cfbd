import type { Knex } from 'knex'

import { apiKeyPrefix } from '../src/security/api-key.ts'
import type { SecretBoxProvider } from '../src/security/secret-box.ts'

/** Known beforehand, so that a second seed finds the first one's connection under any name. */
export const DEMO_CONNECTION_UUID = '5eed0000-0000-4000-8000-000000000001'

/** The demo world's connection to the forms simulator. */
export async function seedConnections(
  knex: Knex,
  secretBox: SecretBoxProvider,
  formulaires: { readonly url: string; readonly apiKey: string },
): Promise<void> {
  const owner = await knex('enterprises')
    .where({ name: 'Atelier Lumière' })
    .orderBy('id')
    .first<{ id: number }>('id')
  const sealed = (await secretBox()).seal(formulaires.apiKey, DEMO_CONNECTION_UUID)
  await knex('connections')
    .insert({
      uuid: DEMO_CONNECTION_UUID,
      enterprise_id: owner.id,
      type: 'FORMULAIRES',
      name: 'Formulaires de démonstration',
      base_url: formulaires.url,
      api_key_ciphertext: sealed.ciphertext,
      api_key_iv: sealed.iv,
      api_key_key_id: sealed.keyId,
      api_key_prefix: apiKeyPrefix(formulaires.apiKey),
    })
    .onConflict('uuid')
    .ignore()
}
