import { readFileSync, writeFileSync } from 'node:fs'

import { exampleEnv } from '../src/config/example-env.ts'

/** Writes example.env, or with --check fails when it is not what the settings say. */
const path = new URL('../example.env', import.meta.url)

if (!process.argv.includes('--check')) {
  writeFileSync(path, exampleEnv())
} else if (readFileSync(path, 'utf8') !== exampleEnv()) {
  process.stderr.write('example.env is out of date: run "node scripts/write-example-env.ts"\n')
  process.exitCode = 1
}
