import type { Command } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'
import { calling } from '../calling.ts'

export const cluster = (program: Command, stop: StopRequest) =>
  program
    .command('cluster')
    .description('Look after the tables of a Citus cluster')
    .command('distribute')
    .description(
      'Spread the tables over the nodes again that a restored dump has on the coordinator; a line of JSON for each, exits 1 if any is left',
    )
    .action(calling(stop, () => import('../actions/cluster.ts')))
