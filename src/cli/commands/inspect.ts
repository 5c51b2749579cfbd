import type { Command } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'
import { calling } from '../calling.ts'

export const inspect = (program: Command, stop: StopRequest) =>
  program
    .command('inspect')
    .description('Show the dialect, the columns and the evidence for them; load nothing')
    .argument('<file>', 'path or http(s) address of the file; - reads standard input')
    .option('--json', 'print everything as one JSON document', false)
    .option('--options <json>', 'how to read the file')
    .action(calling(stop, () => import('../actions/inspect.ts')))
