import { tokenOptions } from '../../start/adapters.ts'
import { createPeople } from '../../domain/people/people.ts'
import { recordDeed } from '../../domain/audit/audit.ts'
import { createPasswords } from '../../security/passwords.ts'
import { createTokens, TokensIssuedElsewhereError } from '../../security/tokens.ts'
import type { StopRequest } from '../../start/stop-request.ts'
import { deedOfCommand } from '../deed-of-command.ts'
import { withDatabase } from '../with-database.ts'

export async function run(stop: StopRequest, { email }: { email: string }): Promise<void> {
  await withDatabase(stop, async ({ config, pool }) => {
    const options = await tokenOptions(config)
    if (options.keys.kind === 'jwks') throw new TokensIssuedElsewhereError()
    const { uuid, beginsAt } = await createPeople(pool, createPasswords()).beginSession(email)
    const issued = await createTokens(options).issue(uuid, beginsAt)
    await recordDeed(pool, deedOfCommand('session.begin', { thingUuid: uuid }))
    process.stdout.write(`${issued.token}\n`)
  })
}
