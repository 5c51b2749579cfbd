import type { Command } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'
import { accountTypeOption } from '../account-type-option.ts'
import { calling } from '../calling.ts'

export const enterprise = (program: Command, stop: StopRequest) =>
  program
    .command('enterprise')
    .description('Create enterprises')
    .command('create')
    .description('Create an enterprise and print its id and uuid')
    .requiredOption('--name <name>', 'name, which need not be unique')
    .addOption(accountTypeOption())
    .action(calling(stop, () => import('../actions/enterprise.ts')))
