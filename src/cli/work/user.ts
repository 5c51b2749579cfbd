import type { RoleType } from '../../domain/actor.ts'
import type { AccountType } from '../../resources/account-types.ts'
import { createPeople, type People } from '../../domain/people/people.ts'
import { createPasswords } from '../../security/passwords.ts'
import type { StopRequest } from '../../stop-request.ts'
import { CliError } from '../cli-error.ts'
import { withDatabase } from '../with-database.ts'

interface Named {
  readonly email: string
}

interface NewUser extends Named {
  readonly name: string
  readonly role: RoleType
  readonly accountType: AccountType
  readonly enterprise?: string
  readonly password?: string
}

const withPeople = <R>(stop: StopRequest, work: (people: People) => Promise<R>) =>
  withDatabase(stop, ({ pool }) => work(createPeople(pool, createPasswords())))

export async function create(stop: StopRequest, given: NewUser): Promise<void> {
  const { email, name, role, accountType, enterprise, password = null } = given
  const enterpriseId = enterprise === undefined ? null : integer(enterprise)
  const made = await withPeople(stop, (people) =>
    people.createUser({ email, name, role, accountType, enterpriseId, password }),
  )
  process.stdout.write(`uuid: ${made.uuid}\n`)
  if (made.madePassword !== null) process.stdout.write(`password: ${made.madePassword}\n`)
}

export async function disable(stop: StopRequest, { email }: Named): Promise<void> {
  await withPeople(stop, (people) => people.disable(email))
}

export async function enable(stop: StopRequest, { email }: Named): Promise<void> {
  await withPeople(stop, (people) => people.enable(email))
}

export async function setRole(
  stop: StopRequest,
  { email, role }: Named & { readonly role: RoleType },
): Promise<void> {
  await withPeople(stop, (people) => people.setRole(email, role))
}

function integer(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new CliError('--enterprise takes the integer id')
  return Number(text)
}
