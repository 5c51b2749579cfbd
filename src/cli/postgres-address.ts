import { CliError } from './cli-error.ts'

/**
 * Checks the database address of `option`. Messages do not repeat it, since it may contain a
 * password.
 */
export function postgresAddress(url: string, option: string): string {
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)) return url
  throw new CliError(`${option} should be an address such as postgres://user@host:5432/database`)
}
