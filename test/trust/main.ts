import { parseArgs } from 'node:util'

import { useCluster } from '../support/cluster.ts'
import { stopTestServer } from '../support/database.ts'
import { describeFailures, Ledger, renderTable } from './ledger.ts'
import { type Extent, openTrials, type Section, type TrialsOptions } from './section.ts'
import { SECTIONS } from './sections/index.ts'
import { NODE_OPTIONS, nodeFaults } from './tools/node-controls.ts'

const SHORT_MINUTES = 10
const LONG_MINUTES = 240
const TIME_OVER = 'the time was over'

const USAGE = `npm run trust                  faults, attacks and load against real processes, from outside
npm run trust -- SECTION...    some of it

  --long         as often as the list of faults asks; else in minutes
  --seed N       from this seed; else from one of the clock's, which is printed
  --minutes N    then what is under way is finished and the rest left; else ${SHORT_MINUTES}, long ${LONG_MINUTES}
  --only TEXT    of the sections database, inside, others and cluster: what has this in its name
  --all          every failure at the end; else the first of each fault
  --ci           the few seconds that run with the tests

Of the section cluster:
  --database-url URL       of the coordinator of a Citus cluster, for a superuser whom all nodes let in alike
  --node-stop COMMAND      takes one of its nodes away, --node-after-stop brings it back; the same of
                           --node-freeze, and of --node-lockout, after which nodes let each other in no more

Sections:
${SECTIONS.map(({ name, about }) => `  ${name.padEnd(14)} ${about}\n`).join('')}`

const { values, positionals } = readCommandLine()

const told = new AbortController()
process.once('SIGTERM', () => told.abort())
// A terminal sends it to the services as well: nothing can be said of them then.
process.once('SIGINT', () => process.exit(130))
process.exitCode = values.help ? help() : await run()

function readCommandLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        long: { type: 'boolean', default: false },
        ci: { type: 'boolean', default: false },
        all: { type: 'boolean', default: false },
        only: { type: 'string', default: '' },
        minutes: { type: 'string' },
        seed: { type: 'string', default: String(Date.now() % 1_000_000) },
        'database-url': { type: 'string' },
        ...Object.fromEntries(NODE_OPTIONS.map((name) => [name, { type: 'string' as const }])),
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`)
    process.exit(2)
  }
}

function help(): number {
  process.stdout.write(USAGE)
  return 0
}

/** One table at the end; a non-zero exit when something did not hold. SIGTERM is like the time's end. */
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
  setTimeout(() => told.abort(), minutes * 60_000).unref()
  const ledger = new Ledger()
  const url = values['database-url']
  if (typeof url === 'string') useCluster(url)
  const faults = nodeFaults(values)
  process.stdout.write(`extent ${extent}, seed ${seed}, at most ${minutes} minutes\n`)
  try {
    for (const section of chosen) {
      await runSection(section, {
        extent,
        seed,
        ledger,
        nodeFaults: faults,
        only: values.only,
        signal: told.signal,
      })
    }
  } finally {
    await stopTestServer()
  }
  process.stdout.write(`\n${renderTable(ledger.entries)}\n\n`)
  for (const failure of ledger.failures)
    process.stdout.write(`${describeFailures(failure, values.all ? 50 : 1)}\n`)
  const { length } = ledger.failures
  process.stdout.write(`${length === 0 ? heldBy(ledger) : `${length} did not hold.`}\n`)
  return length === 0 ? 0 : 1
}

function heldBy({ entries }: Ledger): string {
  return entries.every(({ skipped }) => skipped === null)
    ? 'Everything held.'
    : 'What was tried held; what was not tried is named above.'
}

async function runSection(
  section: Section,
  given: Omit<TrialsOptions, 'section' | 'onAttempt'>,
): Promise<void> {
  if (given.signal.aborted) {
    given.ledger.entry(section.name, 'everything').skipped = TIME_OVER
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
  if (given.signal.aborted) given.ledger.entry(section.name, 'the rest').skipped = TIME_OVER
  process.stdout.write(` ${((performance.now() - begun) / 1000).toFixed(1)} s\n`)
}
