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

export async function loadRooms(): Promise<void> {
  for (const load of ROOMS) {
    await load()
    await nextTurn()
  }
}

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))
