import type { Command } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'
import { calling } from '../calling.ts'

export const audit = (program: Command, stop: StopRequest) =>
  program
    .command('audit')
    .description('The record of who did what')
    .command('verify')
    .argument('[files...]', 'exported files of one enterprise instead of the database, in order')
    .description('Look for entries that were changed, removed or inserted; exits 1 if any')
    .addHelpText(
      'after',
      '\nPrints the end of each chain: kept elsewhere, it shows later that nothing was written anew.',
    )
    .action(calling(stop, () => import('../actions/audit-verify.ts')))
