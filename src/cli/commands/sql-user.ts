import { type Command, Option } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'
import { calling } from '../calling.ts'
import { enterpriseOption } from '../enterprise-option.ts'

const name = () => new Option('--name <name>', 'name of the role').makeOptionMandatory()
const adminUrl = () =>
  new Option(
    '--admin-url <url>',
    'address of the same database with a role that may create roles; default: the role of the service',
  )

export const sqlUser = (program: Command, stop: StopRequest) => {
  const group = program
    .command('sql-user')
    .description('Give somebody read access with SQL to the tables of one enterprise')
  const actions = () => import('../actions/sql-user.ts')

  group
    .command('create')
    .description(
      'Create a role that can read these tables and nothing else; prints its password once',
    )
    .addOption(enterpriseOption().makeOptionMandatory())
    .addOption(name())
    .addOption(adminUrl())
    .action(calling(stop, async () => ({ run: (await actions()).create })))

  group
    .command('drop')
    .description('Drop such a role and end its sessions')
    .addOption(name())
    .addOption(adminUrl())
    .action(calling(stop, async () => ({ run: (await actions()).drop })))
}
