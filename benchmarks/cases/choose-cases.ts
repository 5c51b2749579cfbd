import type { BenchmarkCase } from '../benchmark.ts'
import { CASES } from './index.ts'
import { ingestCase } from './ingest.ts'
import { outlineCase } from './outline.ts'

/** A name that stands for several cases. */
const FAMILIES: ReadonlyMap<string, readonly string[]> = new Map([
  ['json', ['json-array', 'ndjson']],
])

const isCase = (name: string) => FAMILIES.has(name) || CASES.some((one) => one.name === name)

/** All that need no cluster where none is named; null where the command line makes no sense. */
export function chooseCases(given: readonly string[]): readonly BenchmarkCase[] | null {
  if (given.length === 0) return CASES.filter(({ needsCluster }) => needsCluster !== true)
  const [first, file, ...rest] = given
  if (first === 'ingest') return file === undefined || rest.length > 0 ? null : [ingestCase(file)]
  if (first === 'outline' && file !== undefined && !isCase(file))
    return [outlineCase([file, ...rest])]
  const names = new Set(given.flatMap((name) => FAMILIES.get(name) ?? [name]))
  const found = CASES.filter(({ name }) => names.has(name))
  return found.length === names.size ? found : null
}
