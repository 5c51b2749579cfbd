import { CliError } from './cli-error.ts'

/** The address of a database, as `option` gives it; it is not repeated, since it may hold a password. */
export function postgresAddress(url: string, option: string): string {
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)) return url
  throw new CliError(`${option} should be an address such as postgres://user@host:5432/database`)
}
