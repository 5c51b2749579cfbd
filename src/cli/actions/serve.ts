import { loadRooms } from '../../load-rooms.ts'
import type { StopRequest } from '../../start/stop-request.ts'

export async function run(stop: StopRequest): Promise<void> {
  await loadRooms()
  const { serve } = await import('../../serve.ts')
  process.exitCode = await serve(stop)
}
