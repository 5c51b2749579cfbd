import { once } from 'node:events'

import { type Command, InvalidArgumentError } from 'commander'

import {
  type Formulaires,
  type FormulairesOptions,
  startFormulaires,
} from '../../simulator/formulaires.ts'
import type { StopRequest } from '../../stop-request.ts'
import { CliError } from '../cli-error.ts'

interface FormulairesCommandOptions {
  readonly host: string
  readonly port: number
  readonly forms: number
  readonly cards: number
  readonly responses: number
  readonly seed: number
  readonly control: boolean
}

/** `formulaires`: runs the simulated forms application until it is stopped. */
export const formulaires = (program: Command, stop: StopRequest): void => {
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
    .action((options: FormulairesCommandOptions) => run(options, stop))
}

async function run(
  { responses, ...options }: FormulairesCommandOptions,
  stop: StopRequest,
): Promise<void> {
  const simulator = await start({ ...options, responsesPerForm: responses })
  const stopping = stop.stopInOrder()
  process.stdout.write(`Address: ${simulator.url}\nAPI key: ${simulator.apiKey}\n`)
  if (!stopping.aborted) await once(stopping, 'abort')
  await simulator.close()
}

async function start(options: FormulairesOptions): Promise<Formulaires> {
  try {
    return await startFormulaires(options)
  } catch (cause) {
    const { syscall } = cause as NodeJS.ErrnoException
    const address = `${options.host}:${options.port}`
    const refusal = `The simulator cannot listen on ${address}`
    if (syscall === 'listen') throw new CliError(`${refusal}; choose another --port`, { cause })
    if (syscall === 'getaddrinfo') throw new CliError(`${refusal}: unknown --host`, { cause })
    throw cause
  }
}

function wholeNumber(maximum: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN
    if (!(value <= maximum)) {
      throw new InvalidArgumentError(`Write a whole number from 0 to ${maximum}.`)
    }
    return value
  }
}
