import type { Command } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'
import { calling } from '../calling.ts'

export const keys = (program: Command, stop: StopRequest) => {
  const group = program
    .command('keys')
    .description('Manage the master keys of what is stored encrypted')
  group
    .command('check')
    .description('Try every stored key, and the id of each master key; exits 1 if any is wrong')
    .action(calling(stop, () => import('../actions/keys-check.ts')))
  group
    .command('rotate')
    .description(
      'Re-encrypt every stored API key with the current master key, and sign receipts anew',
    )
    .addHelpText(
      'after',
      '\nThe current key is the first of ENCRYPTION_KEYS: put a new one first, restart the\n' +
        'service, rotate, then remove the old one. If the service created its own key, a new one is\n' +
        'created and put first; the service need not be restarted.',
    )
    .action(calling(stop, () => import('../actions/keys.ts')))
}
