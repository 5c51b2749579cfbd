import { expect } from 'chai'

import { MiB } from '../../../pipelines/index.ts'
import { uniqueTable } from '../deeds/sources.ts'
import { startOwnTime } from '../tools/own-time.ts'
import type { World } from '../world.ts'

const TEN_GIGABYTES = 10 * 1024 * MiB
const WITHIN_MS = 10_000

/** In the middle of a load: it ends by what a page may hold, and leaves nothing. */
export async function expectHugePageRefused(
  world: World,
  kind: 'huge-page' | 'compression-bomb',
): Promise<void> {
  const { build, client, forms, people, pool } = world
  const given = { enterprise: people.enterprise, baseUrl: forms.url, apiKey: forms.apiKey }
  const { uuid: connectionUuid } = await build.connection(given)
  const tableName = uniqueTable()
  const load = () =>
    client.as(people.admin).post('/sources', {
      source: 'api',
      name: 'Remote',
      tableName,
      connectionUuid,
      apiResourceType: 'form',
      formUuid: forms.forms[0]!.uuid,
    })

  const pagesBefore = pagesAsked(world)
  forms.faults.add({ kind, bytes: TEN_GIGABYTES, on: 'records', after: 1 })
  const ownTime = await startOwnTime(world.server.pid)
  try {
    const answer = await world.answers.whileFailing(load)
    expect(answer.status, answer.text).to.equal(502)
    expect(answer.body.code).to.equal('RemoteApplicationException')
    expect(answer.body.detail).to.match(
      /larger than [\d,.]+ (bytes|MiB)|expands to more than 200 times/,
    )
  } finally {
    forms.faults.clear()
  }
  const tookMs = await ownTime(world.server.pid)
  expect(tookMs, 'time to the answer').to.be.lessThan(world.within(WITHIN_MS))
  expect(pagesAsked(world) - pagesBefore, 'pages that were asked for').to.equal(2)
  const { rows } = await pool.query<{ there: boolean }>(
    `select to_regclass($1) is not null or exists (select from generated_tables where name = $2) as there`,
    [`enterprise_${people.enterprise.id}.${tableName}`, tableName],
  )
  expect(rows[0]!.there, 'something of it is left').to.equal(false)
  const connection = await client.as(people.admin).get(`/connections/${connectionUuid}`)
  expect(connection.body.status).to.equal('ACTIVE')
  const again = await load()
  expect(again.status, again.text).to.equal(201)
  expect(again.body.rowCount).to.equal(forms.forms[0]!.recordCount)
}

const pagesAsked = ({ forms }: World): number =>
  forms.requests().filter(({ path }) => path.endsWith('/responses')).length
