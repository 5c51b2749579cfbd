import { parseArgs } from 'node:util'

import { stopTestServer } from '../support/database.ts'
import { describeFailures, Ledger, renderTable } from './ledger.ts'
import { type Extent, openTrials, type Section } from './section.ts'
import { SECTIONS } from './sections/index.ts'

/**
 * `npm run trust [-- section…] [--long] [--seed N] [--minutes N] [--all]`: faults, attacks and load
 * against real processes, from outside. One table at the end; a non-zero exit when something did
 * not hold. When the time is over, or at SIGTERM, what is under way is finished and the rest is left.
 */
const SHORT_MINUTES = 10
const LONG_MINUTES = 240

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    long: { type: 'boolean', default: false },
    ci: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})

const told = new AbortController()
process.once('SIGTERM', () => told.abort())
// A terminal sends it to the services as well: nothing can be said of them then.
process.once('SIGINT', () => process.exit(130))
process.exitCode = values.list ? list() : await run()

function list(): number {
  for (const { name, about } of SECTIONS) process.stdout.write(`${name.padEnd(16)} ${about}\n`)
  return 0
}

async function run(): Promise<number> {
  const unknown = positionals.filter((name) => !SECTIONS.some((section) => section.name === name))
  const seed = Number(values.seed)
  const minutes = Number(values.minutes ?? (values.long ? LONG_MINUTES : SHORT_MINUTES))
  if (unknown.length > 0 || !Number.isSafeInteger(seed) || !(minutes > 0)) {
    const given = [...unknown, `seed ${seed}`, `${minutes} minutes`].join(', ')
    process.stderr.write(`No such section, seed or time: ${given}\n`)
    return 2
  }
  const chosen = SECTIONS.filter(
    ({ name }) => positionals.length === 0 || positionals.includes(name),
  )
  const extent: Extent = values.long ? 'long' : values.ci ? 'ci' : 'short'
  const stop = AbortSignal.any([AbortSignal.timeout(minutes * 60_000), told.signal])
  const ledger = new Ledger()
  process.stdout.write(`extent ${extent}, seed ${seed}, at most ${minutes} minutes\n`)
  try {
    for (const section of chosen) await runSection(section, { extent, seed, ledger, signal: stop })
  } finally {
    await stopTestServer()
  }
  process.stdout.write(`\n${renderTable(ledger.entries)}\n\n`)
  for (const failure of ledger.failures)
    process.stdout.write(`${describeFailures(failure, values.all ? 50 : 1)}\n`)
  const { length } = ledger.failures
  process.stdout.write(length === 0 ? 'Everything held.\n' : `${length} did not hold.\n`)
  return length === 0 ? 0 : 1
}

async function runSection(
  section: Section,
  given: { extent: Extent; seed: number; ledger: Ledger; signal: AbortSignal },
): Promise<void> {
  if (given.signal.aborted) {
    given.ledger.entry(section.name, 'everything').skipped = 'the time was over'
    return
  }
  process.stdout.write(`\n${section.name} `)
  const begun = performance.now()
  const trials = openTrials({
    ...given,
    section: section.name,
    onAttempt: (_fault, held) => void process.stdout.write(held ? '.' : 'F'),
  })
  await trials.guard(() => section.run(trials))
  process.stdout.write(` ${((performance.now() - begun) / 1000).toFixed(1)} s\n`)
}
