import { type Command, InvalidArgumentError } from 'commander'

import type { StopRequest } from '../../stop-request.ts'
import { calling } from '../calling.ts'

export const formulaires = (program: Command, stop: StopRequest) =>
  program
    .command('formulaires')
    .description('Run a simulated forms application; prints its address and a valid key')
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on; 0 picks a free one', wholeNumber(65_535), 0)
    .option('--forms <count>', 'number of forms', wholeNumber(10_000), 8)
    .option('--cards <count>', 'number of cards', wholeNumber(10_000), 5)
    .option('--responses <count>', 'responses of each form', wholeNumber(100_000_000), 250)
    .option('--seed <number>', 'another seed, another world', wholeNumber(4_294_967_295), 1)
    .option('--control', 'offer switches for faults under /_control', false)
    .action(calling(stop, () => import('../actions/formulaires.ts')))

function wholeNumber(maximum: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN
    if (!(value <= maximum)) {
      throw new InvalidArgumentError(`Write a whole number from 0 to ${maximum}.`)
    }
    return value
  }
}
