import { DEMO_PASSWORD, DEMO_USERS } from '../../seeds/people.ts'
import type { Config } from '../config/config.ts'
import { createKnex } from '../db/knex.ts'
import { bundledFormulairesUrl, startBundledFormulaires } from './bundled-formulaires.ts'
import { fillDemoWorldOnce } from './demo-world.ts'

/** What an embedded service has beside it, so that a newcomer can look around at once. */
interface Demo {
  /** What connections may reach because of it. */
  readonly allowed: readonly string[]
  close(): Promise<void>
}

/** Null: others are here already. */
export async function startDemo(config: Config, databaseUrl: string): Promise<Demo | null> {
  const formulaires = await startBundledFormulaires(config.dataDir, config.server.port)
  const knex = createKnex(databaseUrl, { max: 2 })
  try {
    if (formulaires.url !== formulaires.formerUrl) {
      await knex('connections')
        .where({ base_url: formulaires.formerUrl })
        .update({ base_url: formulaires.url })
    }
    if (!(await fillDemoWorldOnce(config, knex, formulaires))) {
      await formulaires.close()
      return null
    }
    return {
      allowed: [new URL(formulaires.url).host],
      close: () => formulaires.close(),
    }
  } catch (error) {
    await formulaires.close()
    throw error
  } finally {
    await knex.destroy()
  }
}

/** The same allowance, for a process that runs beside the service. */
export async function allowedBesideDemo(config: Config): Promise<string[]> {
  const { onlyForThisMachine, dataDir } = config
  return onlyForThisMachine ? [new URL(await bundledFormulairesUrl(dataDir)).host] : []
}

export function howToSignIn(address: string): string {
  const people = DEMO_USERS.map(
    ({ email, role, enterprise }) =>
      `  ${email.padEnd(20)} ${role}${enterprise ? `, ${enterprise}` : ''}`,
  )
  return [
    `Sign in with POST ${address}/auth/login, or look around at ${address}/docs`,
    `Everybody in the demo world has the password ${DEMO_PASSWORD}:`,
    ...people,
    '',
  ].join('\n')
}
