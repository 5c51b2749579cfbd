import type { Command } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'
import { calling } from '../calling.ts'

export const serve = (program: Command, stop: StopRequest) =>
  program
    .command('serve')
    .description('Run the service: the API, and queued jobs too unless WORKER=false')
    .action(calling(stop, () => import('../actions/serve.ts')))
