import type { Command } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'
import { calling } from '../calling.ts'

export const seed = (program: Command, stop: StopRequest) =>
  program
    .command('seed')
    .description('Create the demo world, or what is missing of it')
    .option(
      '--formulaires <url>',
      'address that the demo connection points to; default: this machine',
    )
    .action(calling(stop, () => import('../actions/seed.ts')))
