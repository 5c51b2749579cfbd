import type { Command } from 'commander'

import type { StopRequest } from '../../stop-request.ts'
import { friendly } from '../friendly.ts'
import { withDatabase } from '../with-database.ts'

export const migrate = (program: Command, stop: StopRequest) =>
  program
    .command('migrate')
    .description('Bring the database up to date')
    .action(
      friendly(async () => {
        const tell = async () => void process.stdout.write('The database is up to date\n')
        await withDatabase(stop, tell, { waits: true })
      }),
    )
