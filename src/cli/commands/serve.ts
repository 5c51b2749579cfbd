import type { Command } from 'commander'

import { serve as serveUntilStopped } from '../../serve.ts'
import type { StopRequest } from '../../stop-request.ts'

export const serve = (program: Command, stop: StopRequest) =>
  program
    .command('serve')
    .description('Run the service: the API, and queued jobs too unless WORKER=false')
    .action(async () => {
      process.exitCode = await serveUntilStopped(stop)
    })
