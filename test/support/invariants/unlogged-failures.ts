import type { Shelter } from './shelter.ts'

const SIGNS = [
  /unhandled/i,
  /UnhandledPromiseRejection/,
  /MaxListenersExceededWarning/,
  /"level":60/,
  /^\s+at .+:\d+:\d+\)?$/,
]

/** What a process writes when something went wrong that nobody dealt with. */
export async function unlogged({ output }: Shelter): Promise<string[]> {
  return output()
    .filter((line) => SIGNS.some((sign) => sign.test(line)))
    .slice(0, 5)
}
