import { readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'

/** Writes a file that is made from the code, or with --check fails when it is not what the code says. */
export function writeOrCheck(path: string, text: string): void {
  const target = new URL(`../${path}`, import.meta.url)
  if (!process.argv.includes('--check')) {
    writeFileSync(target, text)
  } else if (readFileSync(target, 'utf8') !== text) {
    const script = relative(process.cwd(), process.argv[1]!)
    process.stderr.write(`${path} is out of date: run "node ${script}"\n`)
    process.exitCode = 1
  }
}
