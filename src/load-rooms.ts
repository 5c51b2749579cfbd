import { flushCompileCache } from 'node:module'

import type { Logger } from './observability/logger.ts'

/**
 * Node hears of no signal while it loads a module with all that this one imports, and the whole
 * product takes seconds on a busy machine: so it is loaded room by room, from the bottom up.
 */
const ROOMS: readonly (() => Promise<unknown>)[] = [
  () => import('../pipelines/index.ts'),
  () => import('./db/knex.ts'),
  () => import('./models/source.ts'),
  () => import('./start/adapters.ts'),
  () => import('./http/routes/index.ts'),
  () => import('./services.ts'),
  () => import('./app.ts'),
]

export const loadRooms = (): Promise<void> => inTurns(ROOMS)

/**
 * Node does so when a process ends by itself, and not when it is killed. The first start of a version holds
 * the event loop longest with it, so that comes before anybody is answered.
 */
export const keepCompiled = (): void => flushCompileCache()

/**
 * What is loaded when it is first needed. Once a process listens it loads all of it: so no request
 * holds up others for that, or finds files that an upgrade has replaced since. Each part is kept at once,
 * which takes about as long as to compile it, once for a version.
 */
export async function loadLateParts(logger: Logger): Promise<void> {
  try {
    const { laterParts } = await import('../pipelines/index.ts')
    await inTurns(laterParts(), keepCompiled)
  } catch (error) {
    logger.warn({ err: error }, 'a part of the service cannot be loaded')
  }
}

async function inTurns(
  loads: readonly (() => Promise<unknown>)[],
  loaded: () => void = () => undefined,
): Promise<void> {
  for (const load of loads) {
    await load()
    await nextTurn()
    loaded()
  }
}

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))
