import type { AccountType, RoleType } from '../../resources/account-types.ts'
import { recordDeed } from '../../domain/audit/audit.ts'
import {
  createPeople,
  type People,
  type UserAndPassword,
  type UserChange,
} from '../../domain/people/people.ts'
import { createPasswords } from '../../security/passwords.ts'
import type { StopRequest } from '../../start/stop-request.ts'
import { deedOfCommand } from '../deed-of-command.ts'
import { withDatabase } from '../with-database.ts'

interface Named {
  readonly email: string
}

interface NewUser extends Named {
  readonly name: string
  readonly role: RoleType
  readonly accountType: AccountType
  readonly enterprise?: number
  readonly password?: string
}

const withPeople = <R>(stop: StopRequest, work: (people: People) => Promise<R>) =>
  withDatabase(stop, ({ pool }) => work(createPeople(pool, createPasswords())))

export async function create(stop: StopRequest, given: NewUser): Promise<void> {
  const { email, name, role, accountType, enterprise: enterpriseId = null, password = null } = given
  const made = await withPeople(stop, (people) =>
    people.createUser(
      { email, name, role, accountType, enterpriseId, password },
      (client, { user: { uuid: thingUuid } }) =>
        recordDeed(client, deedOfCommand('user.create', { thingUuid })),
    ),
  )
  process.stdout.write(`uuid: ${made.user.uuid}\n${madePasswordLine(made)}`)
}

const change = (stop: StopRequest, { email }: Named, given: UserChange) =>
  withPeople(stop, (people) =>
    people.changeUser({ email }, given, null, (client, { uuid: thingUuid }) =>
      recordDeed(client, deedOfCommand('user.change', { thingUuid })),
    ),
  )

export async function disable(stop: StopRequest, named: Named): Promise<void> {
  await change(stop, named, { disabled: true })
}

export async function enable(stop: StopRequest, named: Named): Promise<void> {
  await change(stop, named, { disabled: false })
}

export async function setRole(
  stop: StopRequest,
  { role, ...named }: Named & { readonly role: RoleType },
): Promise<void> {
  await change(stop, named, { role })
}

export async function setPassword(
  stop: StopRequest,
  { password, ...named }: Named & { readonly password?: string },
): Promise<void> {
  const changed = await change(stop, named, { password: password ?? null })
  process.stdout.write(madePasswordLine(changed))
}

const madePasswordLine = ({ madePassword }: UserAndPassword): string =>
  madePassword === null ? '' : `password: ${madePassword}\n`
