import type { Knex } from 'knex'

import {
  EnterpriseNotFoundException,
  ForbiddenException,
  invalidField,
} from '../../errors/index.ts'
import { EnterpriseModel } from '../../models/enterprise.ts'
import { type Actor, isSuperAdmin } from '../actor.ts'
import { authMessages } from '../auth/auth-messages.ts'

/**
 * The enterprise of something new: the actor's own, or the one that a super-admin names. An actor
 * who belongs to none and may not name one cannot create anything.
 */
export async function chooseEnterprise(
  knex: Knex,
  actor: Actor,
  enterpriseId: number | undefined,
): Promise<number> {
  if (isSuperAdmin(actor)) return chooseAny(knex, actor, enterpriseId)
  if (actor.enterprise === null) throw new ForbiddenException(authMessages.noEnterprise())
  if (enterpriseId !== undefined && enterpriseId !== actor.enterprise.id) {
    throw new ForbiddenException(authMessages.otherEnterprise())
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
    throw invalidField('/enterpriseId', authMessages.enterpriseRequired())
  }
  const found = await EnterpriseModel.query(knex).findById(enterpriseId).select('id')
  if (!found) throw new EnterpriseNotFoundException()
  return found.id
}
