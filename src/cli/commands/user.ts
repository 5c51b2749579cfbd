import { type Command, Option } from 'commander'

import { ROLE_TYPES } from '../../resources/account-types.ts'
import type { StopRequest } from '../../start/stop-request.ts'
import { calling } from '../calling.ts'
import { accountTypeOption } from '../account-type-option.ts'
import { enterpriseOption } from '../enterprise-option.ts'

const email = () => new Option('--email <email>', 'who').makeOptionMandatory()
const role = () => new Option('--role <role>', 'role').choices(ROLE_TYPES).makeOptionMandatory()
const password = () =>
  new Option('--password <password>', 'preferably at least 12 characters, as the API requires')

export const user = (program: Command, stop: StopRequest) => {
  const group = program.command('user').description('Create users and change what they may do')
  const actions = () => import('../actions/user.ts')

  group
    .command('create')
    .description('Create a user; without --password, one is generated and printed once')
    .addOption(email())
    .requiredOption('--name <name>', 'full name')
    .addOption(role())
    .addOption(accountTypeOption())
    .addOption(enterpriseOption())
    .addOption(password())
    .action(calling(stop, async () => ({ run: (await actions()).create })))

  group
    .command('disable')
    .description('Lock a user out at once; their tokens become invalid for good')
    .addOption(email())
    .action(calling(stop, async () => ({ run: (await actions()).disable })))

  group
    .command('enable')
    .description('Let a disabled user in again')
    .addOption(email())
    .action(calling(stop, async () => ({ run: (await actions()).enable })))

  group
    .command('set-role')
    .description('Change the role of a user, as of their next request')
    .addOption(email())
    .addOption(role())
    .action(calling(stop, async () => ({ run: (await actions()).setRole })))

  group
    .command('set-password')
    .description(
      'Give a user a new password and end their sessions; without --password, one is generated and printed once',
    )
    .addOption(email())
    .addOption(password())
    .action(calling(stop, async () => ({ run: (await actions()).setPassword })))
}
