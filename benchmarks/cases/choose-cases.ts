import { CliError } from '../../src/cli/cli-error.ts'
import type { BenchmarkCase } from '../benchmark.ts'
import { CASES } from './index.ts'
import { ingestCase } from './ingest.ts'
import { outlineCase } from './outline.ts'
import { shapesCase } from './shapes.ts'

/** A name that stands for several cases. */
const FAMILIES: ReadonlyMap<string, readonly string[]> = new Map([
  ['json', ['json-array', 'ndjson']],
])

/** Cases that folders of the reader’s own can be named for. */
const OF_FOLDERS: ReadonlyMap<string, (folders: readonly string[]) => BenchmarkCase> = new Map([
  ['outline', outlineCase],
  ['shapes', shapesCase],
])

const isCase = (name: string) => FAMILIES.has(name) || CASES.some((one) => one.name === name)

/** All that need no cluster where none is named. */
export function chooseCases(given: readonly string[]): readonly BenchmarkCase[] {
  if (given.length === 0) return CASES.filter(({ needsCluster }) => needsCluster !== true)
  const [first, file, ...rest] = given
  if (first === 'ingest') {
    if (file === undefined || rest.length > 0) throw new CliError('Name one file: ingest FILE')
    return [ingestCase(file)]
  }
  const ofFolders = first === undefined ? undefined : OF_FOLDERS.get(first)
  if (ofFolders !== undefined && file !== undefined && !isCase(file))
    return [ofFolders([file, ...rest])]
  const names = new Set(given.flatMap((name) => FAMILIES.get(name) ?? [name]))
  const unknown = [...names].find((name) => !CASES.some((one) => one.name === name))
  if (unknown !== undefined) {
    const known = CASES.map(({ name }) => name).join(', ')
    throw new CliError(
      `There is no case ${unknown}; there are ${known}, ingest FILE, outline FOLDER and shapes FOLDER`,
    )
  }
  return CASES.filter(({ name }) => names.has(name))
}
