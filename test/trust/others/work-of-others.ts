import { expect } from 'chai'

import { PATIENCE_MS } from '../../support/patience.ts'
import { rawWorkbook, textRow } from '../../support/workbooks/raw-workbook.ts'
import { uniqueTable } from '../deeds/sources.ts'
import { until } from '../tools/until.ts'
import type { World } from '../world.ts'
import { type Assailant, fileForm, loops } from './assailant.ts'
import type { Assault } from './assault.ts'
import { deepRows } from './tables.ts'

const HEADERS = 1_500
const LAST_ROW = 1_048_576
/** Before the turn of another enterprise comes: those that were taken while it asked. */
const MOST_BEFORE = 4

/** What lasts for as long as it works. */
export const WORK_OF_OTHERS: readonly Assault[] = [
  {
    name: 'many queued loads',
    besides: ['loadTwoLines'],
    async prepare({ world, owner, scale }) {
      const content = deepRows(Math.min(scale.deepRows, 200_000))
      const sent = await owner.ask('/documents', fileForm({}, 'a.csv', content))
      const { uuid } = JSON.parse(sent!.text) as { uuid: string }
      return {
        async run(assailant, signal) {
          for (let load = 0; load < scale.loads && !signal.aborted; load++) {
            await queueLoad(assailant, uuid)
          }
          await ended(signal)
        },
        answers: [202, 429, 503],
        awaited: 202,
        async end() {
          await expectTurns(world)
          await cancelLoads(world, owner)
        },
      }
    },
  },
  {
    name: 'small workbooks with a cell in the last row',
    async prepare() {
      const workbook = [sparseWorkbook()]
      return {
        run: (assailant, signal) =>
          loops(4, signal, () => {
            const fields = { source: 'file', name: 'Sparse', tableName: uniqueTable() }
            return assailant.ask('/sources', { ...fileForm(fields, 'a.xlsx', workbook), signal })
          }),
        answers: [201, 400, 413, 429, 503],
        awaited: 201,
      }
    },
  },
]

function sparseWorkbook(): Buffer {
  const headers = Array.from({ length: HEADERS }, (_, at) => `h${at}`)
  const last = `<row r="${LAST_ROW}"><c r="A${LAST_ROW}"><v>1</v></c></row>`
  return rawWorkbook({ sheets: [{ rows: `${textRow(...headers)}${last}` }] })
}

function queueLoad(assailant: Assailant, documentUuid: string) {
  const body = { source: 'file', name: 'Queued', tableName: uniqueTable(), documentUuid }
  return assailant.ask('/sources', {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'respond-async' },
    body: JSON.stringify(body),
  })
}

function ended(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** However many loads the account has queued, few of them began while another enterprise waited. */
async function expectTurns({ pool, people }: World): Promise<void> {
  const { rows } = await pool.query<{ most: number }>(
    `select coalesce(max(before), 0)::int as most
     from jobs mine, lateral (
       select count(*) as before from jobs theirs
       where theirs.owner_id = $2
         and theirs.started_at > mine.created_at and theirs.started_at < mine.started_at) counted
     where mine.owner_id = $1 and mine.queued`,
    [people.otherAdmin.id, people.admin.id],
  )
  expect(rows[0]!.most, 'loads that began before that of another').to.be.at.most(MOST_BEFORE)
}

async function cancelLoads({ pool, people }: World, owner: Assailant): Promise<void> {
  const underWay = async () => {
    const { rows } = await pool.query<{ uuid: string }>(
      `select uuid from jobs where owner_id = $1 and status in ('QUEUED', 'RUNNING')`,
      [people.admin.id],
    )
    return rows
  }
  for (const { uuid } of await underWay()) {
    await owner.ask(`/jobs/${uuid}/cancel`, { method: 'POST' })
  }
  await until('the loads have ended', PATIENCE_MS, async () => (await underWay()).length === 0)
}
