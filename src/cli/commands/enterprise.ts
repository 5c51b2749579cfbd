import { type Command, Option } from 'commander'

import { ACCOUNT_TYPES, type AccountType } from '../../resources/enterprise.ts'
import { createPeople } from '../../domain/people/people.ts'
import { createPasswords } from '../../security/passwords.ts'
import type { StopRequest } from '../../stop-request.ts'
import { friendly } from '../friendly.ts'
import { withDatabase } from '../with-database.ts'

interface NewEnterpriseOptions {
  name: string
  accountType: AccountType
}

export const enterprise = (program: Command, stop: StopRequest) =>
  program
    .command('enterprise')
    .description('Create enterprises')
    .command('create')
    .description('Create an enterprise and print its id and uuid')
    .requiredOption('--name <name>')
    .addOption(new Option('--account-type <type>').choices(ACCOUNT_TYPES).makeOptionMandatory())
    .action(
      friendly(async ({ name, accountType }: NewEnterpriseOptions) => {
        await withDatabase(stop, async ({ pool }) => {
          const made = await createPeople(pool, createPasswords()).createEnterprise(
            name,
            accountType,
          )
          process.stdout.write(`id: ${made.id}\nuuid: ${made.uuid}\n`)
        })
      }),
    )
