import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'

import { createEngine, EngineError } from '../../pipelines/index.ts'
import type { Figure } from '../benchmark.ts'

/** A file that somebody publishes, and what independent readers or people see in it. */
interface Published {
  /** `owner/name`, on GitHub. */
  readonly repo: string
  readonly commit: string
  readonly path: string
  readonly sha256: string
  readonly half: 'studied' | 'held-out'
  /** Lines of the header, columns, and rows without blank ones. */
  readonly expected: { readonly header: number; readonly columns: number; readonly rows: number }
}

/** `refused`: without an option that would load the whole of it. */
const OUTCOMES = [
  'right',
  'refused with a way out',
  'refused',
  'wrong',
  'wrong in silence',
] as const
type Outcome = (typeof OUTCOMES)[number]

/** All, or the one that is named: whoever mends something looks at the studied half alone. */
const HALVES = (['studied', 'held-out'] as const).filter(
  (half) => half === (process.env['OUTLINE_HALF'] ?? half),
)
const LIST = join(import.meta.dirname, 'published.ndjson')
const CACHE =
  process.env['OUTLINE_CACHE'] ?? join(homedir(), '.cache', 'administration-service', 'published')
/** More rows than a preview shows; of a longer file the rows are not counted. */
const MOST_ROWS = 10_000
/** It tells of a repair, not that the table may be another one. */
const NOT_A_DOUBT: ReadonlySet<string> = new Set(['repaired'])

/** In per cent of the files of each half that can be had. */
export async function figuresOfPublished(): Promise<Figure[]> {
  const lines = readFileSync(LIST, 'utf8').trimEnd().split('\n')
  const files = lines.map((line) => JSON.parse(line) as Published)
  const figures: Figure[] = []
  for (const half of HALVES) {
    const seen: Outcome[] = []
    for (const file of files.filter((one) => one.half === half)) {
      const bytes = await bytesOf(file)
      if (bytes === null) continue
      const outcome = await judge(bytes, file)
      if (outcome !== 'right') process.stderr.write(`${half}: ${outcome}: ${addressOf(file)}\n`)
      seen.push(outcome)
    }
    if (seen.length === 0) continue
    for (const outcome of OUTCOMES) {
      const found = (100 * seen.filter((one) => one === outcome).length) / seen.length
      figures.push({ what: `${seen.length} published files ${half}: ${outcome}`, found })
    }
  }
  return figures
}

const addressOf = ({ repo, commit, path }: Published) =>
  `https://raw.githubusercontent.com/${repo}/${commit}/${encodeURI(path)}`

/** From the cache, or from where it is published; null where it cannot be had as it was. */
async function bytesOf(file: Published): Promise<Buffer | null> {
  const cached = join(CACHE, file.sha256)
  const known = readIfThere(cached)
  if (known !== null) return known
  const answer = await fetch(addressOf(file)).catch(() => null)
  if (answer?.ok !== true) return null
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (createHash('sha256').update(bytes).digest('hex') !== file.sha256) return null
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(cached, bytes)
  return bytes
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}

async function judge(bytes: Buffer, { path, expected }: Published): Promise<Outcome> {
  const engine = createEngine({ tempDir: tmpdir() })
  const open = async () => Readable.from([bytes])
  const source = { kind: 'bytes', name: basename(path), size: bytes.length, open } as const
  const { signal } = new AbortController()
  try {
    const seen = await engine.preview(source, {}, { limit: MOST_ROWS, signal })
    if (seen.invalidCells > 0) return 'refused with a way out'
    const isRight =
      seen.columns.length === expected.columns &&
      (seen.table === undefined || seen.table.header.rows.length === expected.header) &&
      (seen.isSample || seen.rows.length === expected.rows)
    if (isRight) return 'right'
    return seen.warnings.some(({ code }) => !NOT_A_DOUBT.has(code)) ? 'wrong' : 'wrong in silence'
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const hasWayOut = (error.remedies ?? []).some(({ leaves }) => leaves === 0)
    return hasWayOut ? 'refused with a way out' : 'refused'
  }
}
