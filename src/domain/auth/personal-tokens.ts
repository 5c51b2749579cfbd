import type { Knex } from 'knex'

import { connectionOf } from '../../db/knex.ts'
import type { Alongside, Recording } from '../../resources/alongside.ts'
import {
  ForbiddenException,
  invalidField,
  PersonalTokenLimitException,
  PersonalTokenNotFoundException,
  UnauthorizedException,
} from '../../errors/index.ts'
import { PersonalTokenModel } from '../../models/personal-token.ts'
import type { Page, PageRequest } from '../../resources/page.ts'
import { type PersonalToken, personalToken } from '../../resources/personal-token.ts'
import { makePersonalToken } from '../../security/tokens.ts'
import type { Actor } from '../actor.ts'
import type { Caller } from './credential.ts'
import { authMessages } from './auth-messages.ts'

const MOST_TOKENS = 100

interface NewToken {
  readonly name: string
  readonly expiresAt: Date | null
}

/** The token itself is returned once, here. */
export interface MadeToken {
  readonly token: string
  readonly made: PersonalToken
}

/**
 * Tokens that people create for their scripts. They always have the present rights of their owner.
 */
export function createPersonalTokens({ knex }: { readonly knex: Knex }) {
  return {
    async create(
      { actor, credential }: Caller,
      { name, expiresAt }: NewToken,
      alongside?: Alongside<MadeToken>,
    ): Promise<MadeToken> {
      // A stolen token must not be able to create others that outlive it.
      if (credential.kind === 'personal-token') {
        throw new ForbiddenException(authMessages.noTokenByToken())
      }
      if (expiresAt !== null && expiresAt.getTime() <= Date.now()) {
        throw invalidField('/expiresAt', authMessages.inTheFuture())
      }
      const { token, prefix, hash } = makePersonalToken()
      return knex.transaction(async (trx) => {
        await takePlace(trx, actor)
        const row = { user_id: actor.id, name: name.trim(), prefix, hash, expires_at: expiresAt }
        const { uuid } = await PersonalTokenModel.query(trx).insert(row).returning('uuid')
        const made = { token, made: await find(trx, actor, uuid) }
        await alongside?.(await connectionOf(trx), made)
        return made
      })
    },

    list: (actor: Actor, request: PageRequest, signal: AbortSignal): Promise<Page<PersonalToken>> =>
      PersonalTokenModel.query(knex).visibleTo(actor).listAs(personalToken, request, signal),

    async remove(actor: Actor, uuid: string, record?: Recording): Promise<void> {
      await knex.transaction(async (trx) => {
        const deleted = await PersonalTokenModel.query(trx)
          .visibleTo(actor)
          .where('uuid', uuid)
          .delete()
        if (deleted === 0) throw new PersonalTokenNotFoundException()
        await record?.(await connectionOf(trx))
      })
    },
  }
}

export type PersonalTokens = ReturnType<typeof createPersonalTokens>

/**
 * Locks the owner's row until the token exists, so that simultaneous requests are counted one after
 * the other.
 */
async function takePlace(trx: Knex, actor: Actor): Promise<void> {
  const owner = await trx('users')
    .where({ id: actor.id, disabled_at: null })
    .forUpdate()
    .first('id')
  if (!owner) throw new UnauthorizedException()
  if ((await PersonalTokenModel.query(trx).visibleTo(actor).resultSize()) >= MOST_TOKENS) {
    throw new PersonalTokenLimitException(authMessages.manyTokens({ most: MOST_TOKENS }))
  }
}

async function find(trx: Knex, actor: Actor, uuid: string): Promise<PersonalToken> {
  const found = await PersonalTokenModel.query(trx)
    .visibleTo(actor)
    .byUuid(uuid)
    .oneAs(personalToken)
  if (!found) throw new PersonalTokenNotFoundException()
  return found
}
