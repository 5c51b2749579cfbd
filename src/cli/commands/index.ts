import type { Command } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'

type Register = (program: Command, stop: StopRequest) => unknown

/** By name, in the order of the help: calling one command loads none of the others. */
export const COMMANDS: ReadonlyMap<string, () => Promise<Register>> = new Map([
  ['token', async () => (await import('./token.ts')).token],
  ['user', async () => (await import('./user.ts')).user],
  ['enterprise', async () => (await import('./enterprise.ts')).enterprise],
  ['sql-user', async () => (await import('./sql-user.ts')).sqlUser],
  ['migrate', async () => (await import('./migrate.ts')).migrate],
  ['upgrade', async () => (await import('./upgrade.ts')).upgrade],
  ['seed', async () => (await import('./seed.ts')).seed],
  ['serve', async () => (await import('./serve.ts')).serve],
  ['audit', async () => (await import('./audit.ts')).audit],
  ['keys', async () => (await import('./keys.ts')).keys],
  ['worker', async () => (await import('./worker.ts')).worker],
  ['storage', async () => (await import('./storage.ts')).storage],
  ['cluster', async () => (await import('./cluster.ts')).cluster],
  ['formulaires', async () => (await import('./formulaires.ts')).formulaires],
  ['receipt', async () => (await import('./receipt.ts')).receipt],
  ['shape', async () => (await import('./shape.ts')).shape],
  ['ingest', async () => (await import('./ingest.ts')).ingest],
  ['check', async () => (await import('./check.ts')).check],
  ['inspect', async () => (await import('./inspect.ts')).inspect],
])
