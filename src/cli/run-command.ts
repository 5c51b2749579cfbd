import { Command, CommanderError } from 'commander'

import type { StopRequest } from '../start/stop-request.ts'
import { serviceVersion } from '../start/version.ts'
import { COMMANDS } from './commands/index.ts'
import type { CommonFlags } from './common-flags.ts'
import { EXIT } from './exit-codes.ts'

const EXIT_CODES = `
Exit codes: ${EXIT.done} done, ${EXIT.fault} a fault of the program or something a check found,
${EXIT.usage} arguments or settings, ${EXIT.data} the data of a file, ${EXIT.connection} the database, the storage or an address,
130 and 143 interrupted`

/** Registers the command of this name only, or all of them if there is no such command. */
export async function createProgram(stop: StopRequest, name?: string): Promise<Command> {
  const program = new Command('cli')
    .description('Administration of the service, and its engine without the API')
    .version(serviceVersion())
    .option('--verbose', 'show where a fault of the program happened')
    .addHelpText('after', EXIT_CODES)
    .showHelpAfterError()
    .exitOverride()
  const named = name === undefined ? undefined : COMMANDS.get(name)
  const loading = (named ? [named] : [...COMMANDS.values()]).map((load) => load())
  for (const register of await Promise.all(loading)) register(program, stop)
  return program
}

/** Runs the command that the arguments of the process name, and returns its exit code. */
export async function runCommand(stop: StopRequest): Promise<number> {
  // The first argument may be a wrong option, which is reported by the program with all commands.
  const program = await createProgram(stop, process.argv[2])
  try {
    await program.parseAsync()
    // A process that was told to stop exits as stopped, whatever it managed to do before.
    return stop.exitCode ?? Number(process.exitCode ?? EXIT.done)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
    const { complain } = await import('./complain.ts')
    return complain(error, stop, program.opts<CommonFlags>())
  }
}
