import { type Command, Option } from 'commander'

import { ACCOUNT_TYPES } from '../../resources/account-types.ts'
import type { StopRequest } from '../../stop-request.ts'
import { calling } from '../calling.ts'

export const enterprise = (program: Command, stop: StopRequest) =>
  program
    .command('enterprise')
    .description('Create enterprises')
    .command('create')
    .description('Create an enterprise and print its id and uuid')
    .requiredOption('--name <name>')
    .addOption(new Option('--account-type <type>').choices(ACCOUNT_TYPES).makeOptionMandatory())
    .action(calling(stop, () => import('../actions/enterprise.ts')))
