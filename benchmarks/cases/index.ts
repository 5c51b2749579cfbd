import type { BenchmarkCase } from '../benchmark.ts'
import { contestCase } from '../support/run-contest.ts'
import { authCase } from './auth.ts'
import { clusterCase } from './cluster.ts'
import { collectionsCase } from './collections.ts'
import { connectorCase } from './connector.ts'
import { consoleCase } from './console.ts'
import { CONTESTS } from './contests.ts'
import { csvCase } from './csv.ts'
import { httpCase } from './http.ts'
import { documentsCase } from './documents.ts'
import { formatsCase } from './formats.ts'
import { fleetCase } from './fleet.ts'
import { foldersCase } from './folders.ts'
import { outlineCase } from './outline.ts'
import { peersCase } from './peers.ts'
import { retentionCase } from './retention.ts'
import { rulesCase } from './rules.ts'
import { shapesCase } from './shapes.ts'
import { startCase } from './start.ts'
import { versionsCase } from './versions.ts'

/** Every case, in the order of RESULTS.md. */
export const CASES: readonly BenchmarkCase[] = [
  csvCase,
  peersCase,
  ...CONTESTS.map(contestCase),
  formatsCase,
  outlineCase(),
  connectorCase,
  httpCase,
  versionsCase,
  retentionCase,
  shapesCase(),
  collectionsCase,
  rulesCase,
  fleetCase,
  clusterCase,
  authCase,
  foldersCase,
  documentsCase,
  consoleCase,
  startCase,
]
