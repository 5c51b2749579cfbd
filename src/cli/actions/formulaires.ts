import { once } from 'node:events'

import {
  type Formulaires,
  type SimulatorOptions,
  startFormulaires,
} from '../../simulator/formulaires.ts'
import type { StopRequest } from '../../start/stop-request.ts'
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

/** Runs the simulated forms application until the command is stopped. */
export async function run(
  stop: StopRequest,
  { responses, ...options }: FormulairesCommandOptions,
): Promise<void> {
  const simulator = await start({ ...options, responsesPerForm: responses })
  const stopping = stop.stopInOrder()
  process.stdout.write(`Address: ${simulator.url}\nAPI key: ${simulator.apiKey}\n`)
  if (!stopping.aborted) await once(stopping, 'abort')
  await simulator.close()
}

async function start(options: SimulatorOptions): Promise<Formulaires> {
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
