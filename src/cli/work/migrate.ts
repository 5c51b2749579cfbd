import type { StopRequest } from '../../stop-request.ts'
import { withDatabase } from '../with-database.ts'

export async function run(stop: StopRequest): Promise<void> {
  await withDatabase(stop, async () => {
    process.stdout.write('The database is up to date\n')
  })
}
