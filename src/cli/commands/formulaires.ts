import type { Command } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'
import { calling } from '../calling.ts'
import { wholeNumber } from '../whole-number.ts'

export const formulaires = (program: Command, stop: StopRequest) =>
  program
    .command('formulaires')
    .description('Run a simulated forms application; prints its address and a valid key')
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on; 0 picks a free one', wholeNumber(0, 65_535), 0)
    .option('--forms <count>', 'number of forms', wholeNumber(0, 10_000), 8)
    .option('--cards <count>', 'number of cards', wholeNumber(0, 10_000), 5)
    .option('--responses <count>', 'responses of each form', wholeNumber(0, 100_000_000), 250)
    .option('--seed <number>', 'another seed, another world', wholeNumber(0, 4_294_967_295), 1)
    .option('--control', 'offer switches for faults under /_control', false)
    .action(calling(stop, () => import('../actions/formulaires.ts')))
