import { type Command, Option } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'
import { calling } from '../calling.ts'
import { enterpriseOption } from '../enterprise-option.ts'

const name = () => new Option('--name <name>', 'name of the role').makeOptionMandatory()
const adminUrl = () =>
  new Option(
    '--admin-url <url>',
    'address of the same database as a role that may create others; else as the service',
  )

export const sqlUser = (program: Command, stop: StopRequest) => {
  const group = program
    .command('sql-user')
    .description('Let somebody read the tables of one enterprise with SQL')
  const actions = () => import('../actions/sql-user.ts')

  group
    .command('create')
    .description('Create a role that reads these tables and nothing else; tells its password once')
    .addOption(enterpriseOption().makeOptionMandatory())
    .addOption(name())
    .addOption(adminUrl())
    .action(calling(stop, async () => ({ run: (await actions()).create })))

  group
    .command('drop')
    .description('Drop such a role, and end its sessions')
    .addOption(name())
    .addOption(adminUrl())
    .action(calling(stop, async () => ({ run: (await actions()).drop })))
}
