import type { Command } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'
import { calling } from '../calling.ts'

export const keys = (program: Command, stop: StopRequest) =>
  program
    .command('keys')
    .description('Master keys of the stored API keys')
    .command('rotate')
    .description('Seal every stored API key anew with the current master key')
    .addHelpText(
      'after',
      '\nThe current key is the first of ENCRYPTION_KEYS: put a new one in front, restart the\n' +
        'service, rotate, then take the old one out. Where the service made its own key, a new one\n' +
        'is made and put in front; the service need not be restarted.',
    )
    .action(calling(stop, () => import('../actions/keys.ts')))
