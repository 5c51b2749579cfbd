import { PATIENCE_MS } from '../../support/patience.ts'
import { busyBackends } from '../tools/possessions.ts'
import { until } from '../tools/until.ts'
import { fileForm, loops } from './assailant.ts'
import type { Assault } from './assault.ts'
import { loadTable, rowsOfRejects } from './tables.ts'

/** Answers that are long, or long to find. */
export const ANSWERS_OF_SIZE: readonly Assault[] = [
  {
    name: 'pages of rejects with long cells',
    async prepare({ owner, scale }) {
      const rows = rowsOfRejects(scale.rejects, scale.rejectBytes)
      const path = await loadTable(owner, rows, {
        columns: [{ name: 'a', type: 'number' }],
        onInvalid: 'skip',
      })
      return {
        run: (assailant, signal) =>
          loops(scale.together, signal, () =>
            assailant.ask(`${path}/rejects?limit=100`, { signal }),
          ),
        answers: [413, 429, 503],
        awaited: 413,
      }
    },
  },
  {
    name: 'pages of long cells and control characters',
    async prepare({ scale, wide }) {
      const path = `${await wide()}/data?limit=${scale.wideRows}`
      return {
        run: (assailant, signal) =>
          loops(scale.together, signal, () => assailant.ask(path, { signal })),
        answers: [413, 429, 503],
        awaited: 413,
      }
    },
  },
  {
    name: 'sorted pages deep in a table, for clients that leave',
    async prepare({ world, scale, deep }) {
      const path = `${await deep()}/data?sort=b&limit=100&page=${Math.floor(scale.deepRows / 100)}`
      return {
        run: (assailant, signal) =>
          loops(8, signal, async () => {
            const left = AbortSignal.any([signal, AbortSignal.timeout(300)])
            await assailant.ask(path, { signal: left })
          }),
        answers: [200, 429, 503],
        async end() {
          await until('nothing of it is read any more', PATIENCE_MS, async () => {
            return (await busyBackends(world)) === 0
          })
        },
      }
    },
  },
  {
    name: 'previews of one long cell',
    async prepare({ scale }) {
      const content = [Buffer.from('a\n'), Buffer.alloc(scale.cellBytes, 'x'), Buffer.from('\n')]
      return {
        run: (assailant, signal) =>
          loops(Math.min(8, scale.together), signal, () =>
            assailant.ask('/sources/preview', { ...fileForm({}, 'a.csv', content), signal }),
          ),
        answers: [200, 413, 429, 503],
        awaited: 429,
      }
    },
  },
]
