/** Something the one at the terminal can mend: shown without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError'
}
