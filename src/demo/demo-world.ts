import { writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

import type { Knex } from 'knex'

import { seeds } from '../../seeds/index.ts'
import { DEMO_USERS } from '../../seeds/people.ts'
import { openSecretBox, openStorage } from '../start/adapters.ts'
import type { Config } from '../config/config.ts'
import { createPasswords } from '../security/passwords.ts'

/** Where the connection of the demo world leads. */
interface DemoFormulaires {
  readonly url: string
  readonly apiKey: string
}

/** Adds what is missing of the demo world, and leaves the rest alone. */
export async function fillDemoWorld(
  config: Config,
  knex: Knex,
  formulaires: DemoFormulaires,
): Promise<void> {
  // Nobody asks it for links here.
  const { store } = await openStorage(config, () => '')
  try {
    const context = {
      knex,
      formulaires,
      store,
      hashPassword: createPasswords().hash,
      secretBox: openSecretBox(config),
    }
    for (const seed of seeds) await seed(context)
  } finally {
    await store.close()
  }
}

/**
 * Fills it once in the life of a DATA_DIR, and only where nobody is: its passwords are known to
 * everybody. Says whether it is there.
 */
export async function fillDemoWorldOnce(
  config: Config,
  knex: Knex,
  formulaires: DemoFormulaires,
): Promise<boolean> {
  const marker = join(config.dataDir, 'demo-world')
  const { rows } = await knex.raw<{ rows: [{ peopled: boolean; byOthers: boolean }] }>(
    `select exists (select from users) as peopled,
            exists (select from users where email <> all(:emails)) as "byOthers"`,
    { emails: DEMO_USERS.map(({ email }) => email) },
  )
  const { peopled, byOthers } = rows[0]
  // Both: a start that was killed half-way left its people but no marker, a dropped database none.
  if (peopled && existsSync(marker)) return true
  if (byOthers) return false
  await fillDemoWorld(config, knex, formulaires)
  await writeFile(marker, '')
  return true
}
