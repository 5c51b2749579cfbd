import type { Command } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'
import { calling } from '../calling.ts'

export const storage = (program: Command, stop: StopRequest) =>
  program
    .command('storage')
    .description('Compare the object storage with the database')
    .command('check')
    .description(
      'List objects without a row, rows without an object, and whether the bucket takes parts from browsers, as JSON; exits 1 if anything is wrong',
    )
    .option('--repair', 'remove these objects, and the documents whose file is gone', false)
    .action(calling(stop, () => import('../actions/storage.ts')))
