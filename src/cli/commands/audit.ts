import type { Command } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'
import { calling } from '../calling.ts'

export const audit = (program: Command, stop: StopRequest) =>
  program
    .command('audit')
    .description('The record of who did what')
    .command('verify')
    .argument(
      '[files...]',
      'exported files of one enterprise, in order, instead of the database and the object storage',
    )
    .description(
      'Look for entries that were changed, removed or inserted, in the database and in what was exported; exits 1 if any',
    )
    .option('--expired', 'of what was exported, the beginning may be gone', false)
    .addHelpText(
      'after',
      '\nPrints the end of each chain: kept elsewhere, it shows later that nothing was written anew.',
    )
    .action(calling(stop, () => import('../actions/audit-verify.ts')))
