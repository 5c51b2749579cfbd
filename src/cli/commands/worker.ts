import type { Command } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'
import { calling } from '../calling.ts'

export const worker = (program: Command, stop: StopRequest) =>
  program
    .command('worker')
    .description('Run queued jobs, and nothing else, until it is stopped')
    .action(
      calling(stop, async () => {
        const { loadRooms } = await import('../../load-rooms.ts')
        await loadRooms()
        return import('../actions/worker.ts')
      }),
    )
