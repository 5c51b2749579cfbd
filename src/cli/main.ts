import { Command, CommanderError } from 'commander'

import { serviceVersion } from '../version.ts'
import { COMMANDS } from './commands/index.ts'
import { CliError } from './cli-error.ts'

const program = new Command('cli')
  .description('Administration of the service, and its engine without the API')
  .version(serviceVersion())
  .showHelpAfterError()
  .exitOverride()

for (const register of COMMANDS) register(program)

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode
  } else {
    const text = error instanceof CliError ? error.message : (error as Error).stack
    process.stderr.write(`${text}\n`)
    process.exitCode = 1
  }
}
