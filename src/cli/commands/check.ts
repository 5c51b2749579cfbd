import type { Command } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'
import { calling } from '../calling.ts'

export const check = (program: Command, stop: StopRequest) =>
  program
    .command('check')
    .description(
      'Read a whole file and say everything that is wrong with it; load nothing. Exit code 2 if ' +
        'there is something',
    )
    .argument('<file>', 'path or http(s) address of the file; - reads standard input')
    .option('--json', 'print everything as one JSON document', false)
    .option('--options <json>', 'how to read the file')
    .option(
      '--shape <file>',
      'what the file is to look like, as `shape export` writes it, or a Table Schema; its rules are asked, unique of the file alone, and in where there is a database to look into',
    )
    .option('--database-url <url>', 'where in looks into other sources; default: DATABASE_URL')
    .action(calling(stop, () => import('../actions/check.ts')))
