import type { Command } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'
import { calling } from '../calling.ts'

export const cluster = (program: Command, stop: StopRequest) =>
  program
    .command('cluster')
    .description('Look after the tables of a Citus cluster')
    .command('distribute')
    .description(
      'Distribute again the tables that a restored dump left on the coordinator; one line of JSON each, exits 1 if any is left',
    )
    .action(calling(stop, () => import('../actions/cluster.ts')))
