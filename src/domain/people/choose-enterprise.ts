import type { Knex } from 'knex'

import {
  EnterpriseNotFoundException,
  ForbiddenException,
  ValidationException,
} from '../../errors/index.ts'
import { Enterprise } from '../../models/enterprise.ts'
import { type Actor, isSuperAdmin } from '../actor.ts'

/**
 * The enterprise that something new will belong to: the actor's own, or the one that a super-admin
 * names. Whoever belongs to none and may not name one can create nothing.
 */
export async function chooseEnterprise(
  knex: Knex,
  actor: Actor,
  enterpriseId: number | undefined,
): Promise<number> {
  if (isSuperAdmin(actor)) return chooseAny(knex, actor, enterpriseId)
  if (actor.enterprise === null) throw new ForbiddenException('You belong to no enterprise')
  if (enterpriseId !== undefined && enterpriseId !== actor.enterprise.id) {
    throw new ForbiddenException('Only a super-admin may act for another enterprise')
  }
  return actor.enterprise.id
}

async function chooseAny(
  knex: Knex,
  actor: Actor,
  enterpriseId: number | undefined,
): Promise<number> {
  if (enterpriseId === undefined) {
    if (actor.enterprise !== null) return actor.enterprise.id
    throw new ValidationException('/enterpriseId is required of a super-admin of no enterprise', {
      errors: [{ pointer: '/enterpriseId', message: 'is required' }],
    })
  }
  const found = await Enterprise.query(knex).findById(enterpriseId).select('id')
  if (!found) throw new EnterpriseNotFoundException()
  return found.id
}
