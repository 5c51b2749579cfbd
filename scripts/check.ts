import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Everything that can be told without running the product: format, lint, types, import rules. */
const ROOMS = ['src', 'pipelines', 'migrations', 'seeds', 'test', 'benchmarks', 'scripts'].filter(
  (room) => existsSync(room),
)

const CHECKS: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['format', 'oxfmt', '--check', '.'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings', ...ROOMS, 'knexfile.ts'],
  ['types', 'tsc', '-p', '.'],
  ['import rules', 'mocha', 'test/architecture.test.ts'],
  ['docs/openapi.json', 'node', 'scripts/write-openapi.ts', '--check'],
  ['example.env', 'node', 'scripts/write-example-env.ts', '--check'],
  ['docs/cli.md', 'node', 'scripts/write-cli.ts', '--check'],
  ['docs/configuration.md', 'node', 'scripts/write-configuration.ts', '--check'],
  ['docs/troubleshooting.md', 'node', 'scripts/write-troubleshooting.ts', '--check'],
]

let failed = 0
for (const [name, command, ...args] of CHECKS) {
  const begun = performance.now()
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  process.stdout.write(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)\n`)
  if (status === 0) continue
  failed++
  process.stdout.write(`${stdout ?? ''}${stderr ?? ''}\n`)
}
process.stdout.write(`${CHECKS.length - failed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1
