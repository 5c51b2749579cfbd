import type { Knex } from 'knex'

export const DEMO_PASSWORD = 'demo-password'

const ENTERPRISES = ['Atelier Lumière', 'Boréal Conseil'] as const

interface DemoUser {
  readonly email: string
  readonly name: string
  readonly role: 'super-admin' | 'admin' | 'client'
  readonly accountType: 'enterprise' | 'personal'
  readonly enterprise: (typeof ENTERPRISES)[number] | null
}

export const DEMO_USERS: readonly DemoUser[] = [
  {
    email: 'super@demo.test',
    name: 'Sacha Renard',
    role: 'super-admin',
    accountType: 'enterprise',
    enterprise: null,
  },
  {
    email: 'admin@lumiere.test',
    name: 'Éloïse Marchand',
    role: 'admin',
    accountType: 'enterprise',
    enterprise: 'Atelier Lumière',
  },
  {
    email: 'admin@boreal.test',
    name: 'Noël Tremblay',
    role: 'admin',
    accountType: 'enterprise',
    enterprise: 'Boréal Conseil',
  },
  {
    email: 'client@lumiere.test',
    name: 'Chloé Garnier',
    role: 'client',
    accountType: 'enterprise',
    enterprise: 'Atelier Lumière',
  },
  {
    email: 'perso@demo.test',
    name: 'Théo Lévesque',
    role: 'client',
    accountType: 'personal',
    enterprise: 'Boréal Conseil',
  },
]

/** The demo world's enterprises and users. Those that exist keep whatever was changed about them. */
export async function seedPeople(
  knex: Knex,
  hashPassword: (password: string) => Promise<string>,
): Promise<void> {
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  await knex.transaction(async (trx) => {
    // Names are not unique, so only the lock keeps two seeds at once from doubling them.
    await trx.raw('lock table enterprises in share row exclusive mode')
    const enterpriseIds = new Map<string, number>()
    for (const name of ENTERPRISES) enterpriseIds.set(name, await enterpriseId(trx, name))
    const rows = DEMO_USERS.map((user) => ({
      email: user.email,
      name: user.name,
      password_hash: passwordHash,
      role_type: user.role,
      account_type: user.accountType,
      enterprise_id: user.enterprise === null ? null : enterpriseIds.get(user.enterprise),
    }))
    await trx('users').insert(rows).onConflict('email').ignore()
  })
}

async function enterpriseId(trx: Knex.Transaction, name: string): Promise<number> {
  const found = await trx('enterprises').where({ name }).orderBy('id').first('id')
  if (found !== undefined) return found.id
  const [created] = await trx('enterprises')
    .insert({ name, account_type: 'enterprise' })
    .returning('id')
  return created.id
}
