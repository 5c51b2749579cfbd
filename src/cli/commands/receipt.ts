import type { Command } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'
import { calling } from '../calling.ts'

export function receipt(program: Command, stop: StopRequest): void {
  program
    .command('receipt')
    .description('Verify the receipts of collected files')
    .command('verify')
    .description('Tell whether a receipt is genuine and of this file; exits 1 if it is not')
    .argument('<file>', 'the file that was sent')
    .argument('<receipt>', 'the file that holds its receipt')
    .option(
      '--jwks <address or file>',
      'the keys of the service, as /.well-known/jwks.json shows them (default: those in its database)',
    )
    .action(calling(stop, () => import('../actions/receipt-verify.ts')))
}
