/** How far it is, for whoever waits; a file or a pipe gets the results alone. */
export function sayOnTerminal(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${text}\n`)
}
