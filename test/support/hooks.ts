import { stopTestServer } from './database.ts'

/** After the last file, whatever happened: mocha ends by itself when nothing is left open. */
export async function mochaGlobalTeardown(): Promise<void> {
  await stopTestServer()
}
