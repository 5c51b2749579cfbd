import { relative } from 'node:path'

import type Mocha from 'mocha'

import settings from '../../.mocharc.json' with { type: 'json' }
import { openLanes, stopTestServer } from './database.ts'

let lanes: AsyncDisposable | undefined

/** Before the first file: only files that run side by side want more than one server. */
export async function mochaGlobalSetup(): Promise<void> {
  if (process.argv.includes('--parallel')) lanes = await openLanes(settings.jobs)
}

/** After the last file, whatever happened: mocha ends by itself when nothing is left open. */
export async function mochaGlobalTeardown(): Promise<void> {
  await stopTestServer()
  await lanes?.[Symbol.asyncDispose]()
}

export const mochaHooks = {
  /** In a lane the reporter hears of a file when it has ended: that it runs is told from here. */
  beforeAll(this: Mocha.Context): void {
    if (process.env['MOCHA_WORKER_ID'] === undefined) return
    const file = this.test?.parent?.suites[0]?.file
    if (file !== undefined) process.stdout.write(`  begins ${relative(process.cwd(), file)}\n`)
  },
}
