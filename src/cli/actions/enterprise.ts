import type { AccountType } from '../../resources/account-types.ts'
import { createPeople } from '../../domain/people/people.ts'
import { recordDeed } from '../../domain/audit/audit.ts'
import { createPasswords } from '../../security/passwords.ts'
import type { StopRequest } from '../../start/stop-request.ts'
import { deedOfCommand } from '../deed-of-command.ts'
import { withDatabase } from '../with-database.ts'

interface NewEnterprise {
  readonly name: string
  readonly accountType: AccountType
}

export async function run(stop: StopRequest, { name, accountType }: NewEnterprise): Promise<void> {
  await withDatabase(stop, async ({ pool }) => {
    const people = createPeople(pool, createPasswords())
    const { id, uuid } = await people.createEnterprise(
      name,
      accountType,
      (client, { uuid: thingUuid }) =>
        recordDeed(client, deedOfCommand('enterprise.create', { thingUuid })),
    )
    process.stdout.write(`id: ${id}\nuuid: ${uuid}\n`)
  })
}
