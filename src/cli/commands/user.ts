import { type Command, Option } from 'commander'

import { ROLE_TYPES, type RoleType } from '../../domain/actor.ts'
import { createPeople, type People } from '../../domain/people/people.ts'
import { ACCOUNT_TYPES, type AccountType } from '../../resources/enterprise.ts'
import { createPasswords } from '../../security/passwords.ts'
import type { StopRequest } from '../../stop-request.ts'
import { CliError } from '../cli-error.ts'
import { friendly } from '../friendly.ts'
import { withDatabase } from '../with-database.ts'

interface NewUserOptions {
  email: string
  name: string
  role: RoleType
  accountType: AccountType
  enterprise?: string
  password?: string
}

const email = () => new Option('--email <email>', 'who').makeOptionMandatory()
const role = () => new Option('--role <role>', 'role').choices(ROLE_TYPES).makeOptionMandatory()

export const user = (program: Command, stop: StopRequest) => {
  const withPeople = <R>(work: (people: People) => Promise<R>) =>
    withDatabase(stop, ({ pool }) => work(createPeople(pool, createPasswords())))
  const group = program.command('user').description('Create users and change what they may do')

  group
    .command('create')
    .description('Create a user; without --password one is made up and printed once')
    .addOption(email())
    .requiredOption('--name <name>', 'full name')
    .addOption(role())
    .addOption(new Option('--account-type <type>').choices(ACCOUNT_TYPES).makeOptionMandatory())
    .option('--enterprise <id>', 'id of the enterprise')
    .option('--password <password>')
    .action(
      friendly(async (options: NewUserOptions) => {
        const made = await withPeople((people) =>
          people.createUser({
            email: options.email,
            name: options.name,
            role: options.role,
            accountType: options.accountType,
            enterpriseId: options.enterprise === undefined ? null : integer(options.enterprise),
            password: options.password ?? null,
          }),
        )
        process.stdout.write(`uuid: ${made.uuid}\n`)
        if (made.madePassword !== null) process.stdout.write(`password: ${made.madePassword}\n`)
      }),
    )

  group
    .command('disable')
    .description('Shut a user out at once; the tokens they hold end for good')
    .addOption(email())
    .action(friendly(async (options) => withPeople((people) => people.disable(options.email))))

  group
    .command('enable')
    .description('Let a disabled user in again')
    .addOption(email())
    .action(friendly(async (options) => withPeople((people) => people.enable(options.email))))

  group
    .command('set-role')
    .description('Change the role of a user; it counts from their next request on')
    .addOption(email())
    .addOption(role())
    .action(
      friendly(async (options) =>
        withPeople((people) => people.setRole(options.email, options.role)),
      ),
    )
}

function integer(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new CliError('--enterprise takes the integer id')
  return Number(text)
}
