import { tokenOptions } from '../../adapters.ts'
import { createPeople } from '../../domain/people/people.ts'
import { createPasswords } from '../../security/passwords.ts'
import { createTokens } from '../../security/tokens.ts'
import type { StopRequest } from '../../stop-request.ts'
import { withDatabase } from '../with-database.ts'

export async function run(stop: StopRequest, { email }: { email: string }): Promise<void> {
  await withDatabase(stop, async ({ config, pool }) => {
    const uuid = await createPeople(pool, createPasswords()).uuidOf(email)
    const issued = await createTokens(await tokenOptions(config)).issue(uuid)
    process.stdout.write(`${issued.token}\n`)
  })
}
