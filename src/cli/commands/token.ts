import type { Command } from 'commander'

import { tokenOptions } from '../../adapters.ts'
import { createPeople } from '../../domain/people/people.ts'
import { createPasswords } from '../../security/passwords.ts'
import { createTokens } from '../../security/tokens.ts'
import type { StopRequest } from '../../stop-request.ts'
import { friendly } from '../friendly.ts'
import { withDatabase } from '../with-database.ts'

export const token = (program: Command, stop: StopRequest) =>
  program
    .command('token')
    .description('Print a token for a user, and nothing else')
    .requiredOption('--email <email>', 'whose token')
    .action(
      friendly(async ({ email }: { email: string }) => {
        await withDatabase(stop, async ({ config, pool }) => {
          const tokens = createTokens(await tokenOptions(config))
          const { uuid, beginsAt } = await createPeople(pool, createPasswords()).beginSession(email)
          const issued = await tokens.issue(uuid, beginsAt)
          process.stdout.write(`${issued.token}\n`)
        })
      }),
    )
