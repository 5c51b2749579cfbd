import { randomUUID } from 'node:crypto'

import type { Pool } from 'pg'

import type { Actor } from '../../src/domain/actor.ts'
import type { Factories, TestEnterprise } from '../support/factories.ts'

/** Everybody the list of who may do what speaks of; `other…` belong to another enterprise. */
export interface People {
  readonly enterprise: TestEnterprise
  readonly otherEnterprise: TestEnterprise
  readonly superAdmin: Actor
  readonly admin: Actor
  readonly otherAdmin: Actor
  readonly enterpriseClient: Actor
  readonly otherClient: Actor
  readonly personalClient: Actor
  readonly disabled: { readonly uuid: string }
  readonly nobody: { readonly uuid: string }
}

export async function makePeople(build: Factories, pool: Pool): Promise<People> {
  const enterprise = await build.enterprise({ name: 'Trust Lumière' })
  const otherEnterprise = await build.enterprise({ name: 'Trust Boréal' })
  const disabled = await build.user({ role: 'admin', enterprise })
  await pool.query('update users set disabled_at = now() where uuid = $1', [disabled.uuid])
  return {
    enterprise,
    otherEnterprise,
    superAdmin: await build.user({ role: 'super-admin' }),
    admin: await build.user({ role: 'admin', enterprise }),
    otherAdmin: await build.user({ role: 'admin', enterprise: otherEnterprise }),
    enterpriseClient: await build.user({ role: 'client', enterprise }),
    otherClient: await build.user({ role: 'client', enterprise: otherEnterprise }),
    personalClient: await build.user({ role: 'client', accountType: 'personal', enterprise }),
    disabled,
    nobody: { uuid: randomUUID() },
  }
}
