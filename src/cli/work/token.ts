import { tokenOptions } from '../../adapters.ts'
import { createPeople } from '../../domain/people/people.ts'
import { createPasswords } from '../../security/passwords.ts'
import { createTokens } from '../../security/tokens.ts'
import type { StopRequest } from '../../stop-request.ts'
import { withDatabase } from '../with-database.ts'

export async function run(stop: StopRequest, { email }: { email: string }): Promise<void> {
  await withDatabase(stop, async ({ config, pool }) => {
    const tokens = createTokens(await tokenOptions(config))
    const { uuid, beginsAt } = await createPeople(pool, createPasswords()).beginSession(email)
    const issued = await tokens.issue(uuid, beginsAt)
    process.stdout.write(`${issued.token}\n`)
  })
}
