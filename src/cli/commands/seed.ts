import { type Command, InvalidArgumentError } from 'commander'

import { DEMO_PASSWORD } from '../../../seeds/people.ts'
import { createKnex } from '../../db/knex.ts'
import { bundledFormulairesUrl } from '../../demo/bundled-formulaires.ts'
import { fillDemoWorld } from '../../demo/demo-world.ts'
import { BaseUrlError, normaliseBaseUrl } from '../../security/outbound/base-url.ts'
import { apiKeyOfSeed } from '../../simulator/formulaires.ts'
import type { StopRequest } from '../../stop-request.ts'
import { friendly } from '../friendly.ts'
import { withDatabase } from '../with-database.ts'

export const seed = (program: Command, stop: StopRequest) =>
  program
    .command('seed')
    .description('Fill the demo world, or what is missing of it')
    .option('--formulaires <url>', 'where its connection leads; default: this machine', parseUrl)
    .action(
      friendly(({ formulaires: given }: { formulaires?: string }) =>
        withDatabase(stop, async ({ config, url }) => {
          const formulaires = given ?? (await bundledFormulairesUrl(config.dataDir))
          const knex = createKnex(url, { max: 2 })
          try {
            await fillDemoWorld(config, knex, { url: formulaires, apiKey: apiKeyOfSeed() })
          } finally {
            await knex.destroy()
          }
          process.stdout.write(
            `The demo world is there; everybody's password is ${DEMO_PASSWORD}\n`,
          )
          if (given !== undefined) process.stdout.write(leadsTo(given))
          else if (!config.embedded) process.stdout.write(howToReach(new URL(formulaires)))
        }),
      ),
    )

function parseUrl(text: string): string {
  try {
    return normaliseBaseUrl(text)
  } catch (error) {
    if (!(error instanceof BaseUrlError)) throw error
    throw new InvalidArgumentError(`It ${error.message}.`)
  }
}

const leadsTo = (url: string) =>
  `Its connection leads to ${url}; the service needs OUTBOUND_ALLOW=${new URL(url).host}\n`

/** Only an embedded service runs the simulator by itself. */
const howToReach = ({ host, port }: URL) =>
  `Its connection leads to the forms simulator: run it with \`npm run cli -- formulaires ` +
  `--port ${port}\`, and the service with OUTBOUND_ALLOW=${host}\n`
