import type { Command } from 'commander'

import { friendly } from '../friendly.ts'
import { withDatabase } from '../with-database.ts'

export const migrate = (program: Command) =>
  program
    .command('migrate')
    .description('Bring the database up to date')
    .action(
      friendly(async () => {
        await withDatabase(async () => {
          process.stdout.write('The database is up to date\n')
        })
      }),
    )
