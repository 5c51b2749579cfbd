import { Command, CommanderError } from 'commander'

import type { StopRequest } from '../stop-request.ts'
import { serviceVersion } from '../version.ts'
import { COMMANDS } from './commands/index.ts'
import { CliError } from './cli-error.ts'

/** Runs the command that the arguments of the process name; the exit code to end with. */
export async function runCommand(stop: StopRequest): Promise<number> {
  const program = new Command('cli')
    .description('Administration of the service, and its engine without the API')
    .version(serviceVersion())
    .showHelpAfterError()
    .exitOverride()
  for (const register of COMMANDS) register(program, stop)
  try {
    await program.parseAsync()
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    // Whatever the stop broke on its way.
    if (stop.exitCode !== null) return stop.exitCode
    const text = error instanceof CliError ? error.message : (error as Error).stack
    process.stderr.write(`${text}\n`)
    return 1
  }
}
