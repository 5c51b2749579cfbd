import type { Command } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'
import { calling } from '../calling.ts'

export const upgrade = (program: Command, stop: StopRequest) =>
  program
    .command('upgrade')
    .description('What this version would make of the database of an earlier one')
    .requiredOption('--check', 'only say what there is to do, and change nothing')
    .addHelpText(
      'after',
      '\nExits 1 if something of other roles keeps a table as it is, or cannot be carried over; the upgrade\n' +
        'itself is done by migrate and the first start.',
    )
    .action(calling(stop, () => import('../actions/upgrade.ts')))
