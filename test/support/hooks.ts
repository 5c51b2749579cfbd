import { availableParallelism } from 'node:os'
import { relative } from 'node:path'

import type Mocha from 'mocha'

import settings from '../../.mocharc.json' with { type: 'json' }
import { describeCosts, noteCost, openCosts } from './costs.ts'
import { openLanes, startedServer, stopTestServer } from './database.ts'

let lanes: AsyncDisposable | undefined

/** Before the first file: only files that run side by side want more than one server. */
export async function mochaGlobalSetup(): Promise<void> {
  if (!process.argv.includes('--parallel')) return
  openCosts()
  lanes = await openLanes(settings.jobs)
}

/** After the last file, whatever happened: mocha ends by itself when nothing is left open. */
export async function mochaGlobalTeardown(): Promise<void> {
  await stopTestServer()
  await lanes?.[Symbol.asyncDispose]()
  if (lanes !== undefined) process.stdout.write(describeCosts(availableParallelism()))
}

/** In a lane the reporter hears of a file when it has ended: what concerns it is told from here. */
function fileOf({ test }: Mocha.Context): string | null {
  if (process.env['MOCHA_WORKER_ID'] === undefined) return null
  const file = test?.parent?.suites[0]?.file
  return file === undefined ? null : relative(process.cwd(), file)
}

export const mochaHooks = {
  beforeAll(this: Mocha.Context): void {
    const file = fileOf(this)
    if (file !== null) process.stdout.write(`  begins ${file}\n`)
  },
  async afterAll(this: Mocha.Context): Promise<void> {
    const file = fileOf(this)
    if (file !== null) await noteCost(file, await startedServer())
  },
}
