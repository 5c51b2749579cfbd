import type { StopRequest } from '../../start/stop-request.ts'
import { withDatabase } from '../with-database.ts'

export async function run(stop: StopRequest): Promise<void> {
  const tell = async () => void process.stdout.write('The database is up to date\n')
  await withDatabase(stop, tell, { waits: true, tells: true, earlier: 'migrated' })
}
