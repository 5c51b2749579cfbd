import { SignJWT } from 'jose'

import type { Actor } from '../../../src/domain/actor.ts'
import type { TestClient } from '../../support/client.ts'
import type { World } from '../world.ts'
import type { Audience } from './matrix.ts'

/** Somebody who calls, with what makes them welcome or not. */
export interface Caller {
  readonly name: string
  readonly client: TestClient
  /** Null: nobody the service knows. */
  readonly actor: Actor | null
}

export async function everyCaller({ client, people, authSecret }: World): Promise<Caller[]> {
  const stranger = (name: string, headers: Readonly<Record<string, string>>): Caller => ({
    name,
    client: client.withHeaders(headers),
    actor: null,
  })
  const sign = (subject: string, expiresAt: string | number) =>
    new SignJWT()
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(subject)
      .setExpirationTime(expiresAt)
      .sign(Buffer.from(authSecret))
  const anHourAgo = Math.floor(Date.now() / 1000) - 3600
  const known = (name: string, actor: Actor): Caller => ({ name, client: client.as(actor), actor })
  return [
    stranger('nobody', {}),
    stranger('a token that is none', { 'x-app-access-token': 'nonsense' }),
    stranger('an expired token', {
      'x-app-access-token': await sign(people.superAdmin.uuid, anHourAgo),
    }),
    stranger('a disabled user', { 'x-app-access-token': await sign(people.disabled.uuid, '1h') }),
    stranger('an unknown user', { 'x-app-access-token': await sign(people.nobody.uuid, '1h') }),
    known('a personal client', people.personalClient),
    known('an enterprise client', people.enterpriseClient),
    known('an admin', people.admin),
    known('an admin of another enterprise', people.otherAdmin),
    known('a super-admin', people.superAdmin),
  ]
}

const isSuperAdmin = ({ role }: Actor) => role === 'super-admin'

export const MAY_CALL: Readonly<Record<Audience, (actor: Actor) => boolean>> = {
  everybody: () => true,
  holder: () => false,
  user: () => true,
  admin: (actor) => actor.role === 'admin' || isSuperAdmin(actor),
  'super-admin': isSuperAdmin,
  'folder-tree': (actor) => actor.accountType === 'enterprise' || isSuperAdmin(actor),
}
