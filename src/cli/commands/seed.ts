import type { Command } from 'commander'

import { DEMO_PASSWORD } from '../../../seeds/people.ts'
import { createKnex } from '../../db/knex.ts'
import { bundledFormulairesUrl } from '../../demo/bundled-formulaires.ts'
import { fillDemoWorld } from '../../demo/demo-world.ts'
import { apiKeyOfSeed } from '../../simulator/formulaires.ts'
import type { StopRequest } from '../../stop-request.ts'
import { friendly } from '../friendly.ts'
import { withDatabase } from '../with-database.ts'

export const seed = (program: Command, stop: StopRequest) =>
  program
    .command('seed')
    .description('Fill the demo world, or what is missing of it')
    .action(
      friendly(() =>
        withDatabase(stop, async ({ config, url }) => {
          const formulaires = await bundledFormulairesUrl(config.dataDir)
          const knex = createKnex(url, { max: 2 })
          try {
            await fillDemoWorld(config, knex, { url: formulaires, apiKey: apiKeyOfSeed() })
          } finally {
            await knex.destroy()
          }
          process.stdout.write(
            `The demo world is there; everybody's password is ${DEMO_PASSWORD}\n`,
          )
          if (!config.embedded) process.stdout.write(howToReach(new URL(formulaires)))
        }),
      ),
    )

/** Only an embedded service runs the simulator by itself. */
const howToReach = ({ host, port }: URL) =>
  `Its connection leads to the forms simulator: run it with \`npm run cli -- formulaires ` +
  `--port ${port}\`, and the service with OUTBOUND_ALLOW=${host}\n`
