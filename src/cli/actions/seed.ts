import { DEMO_PASSWORD } from '../../../seeds/people.ts'
import { createKnex } from '../../db/knex.ts'
import { bundledFormulairesUrl } from '../../demo/bundled-formulaires.ts'
import { fillDemoWorld } from '../../demo/demo-world.ts'
import { recordDeed } from '../../domain/audit/audit.ts'
import { BaseUrlError, normaliseBaseUrl } from '../../security/outbound/base-url.ts'
import { apiKeyOfSeed } from '../../simulator/formulaires.ts'
import type { StopRequest } from '../../start/stop-request.ts'
import { CliError } from '../cli-error.ts'
import { deedOfCommand } from '../deed-of-command.ts'
import { withDatabase } from '../with-database.ts'

interface SeedOptions {
  readonly formulaires?: string
}

export async function run(stop: StopRequest, { formulaires }: SeedOptions): Promise<void> {
  const given = formulaires === undefined ? null : readUrl(formulaires)
  await withDatabase(stop, async ({ config, url, pool }) => {
    const leadsTo = given ?? (await bundledFormulairesUrl(config.dataDir))
    const knex = createKnex(url, { max: 2 })
    try {
      await fillDemoWorld(config, knex, { url: leadsTo, apiKey: apiKeyOfSeed() })
      await recordDeed(pool, deedOfCommand('seed.fill'))
    } finally {
      await knex.destroy()
    }
    process.stdout.write(`The demo world is ready; everybody's password is ${DEMO_PASSWORD}\n`)
    if (given !== null) process.stdout.write(howToAllow(given))
    else if (!config.embedded) process.stdout.write(howToReach(new URL(leadsTo)))
  })
}

function readUrl(text: string): string {
  try {
    return normaliseBaseUrl(text)
  } catch (error) {
    if (!(error instanceof BaseUrlError)) throw error
    throw new CliError(`--formulaires ${error.message}`, { cause: error })
  }
}

const howToAllow = (url: string) =>
  `The demo connection points to ${url}; the service needs OUTBOUND_ALLOW=${new URL(url).host}\n`

/** Only a service with an embedded database runs the simulator by itself. */
const howToReach = ({ host, port }: URL) =>
  `The demo connection points to the forms simulator: run it with \`npm run cli -- formulaires ` +
  `--port ${port}\`, and the service with OUTBOUND_ALLOW=${host}\n`
