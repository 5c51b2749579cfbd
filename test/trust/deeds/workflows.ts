import { expect } from 'chai'

import { formOf } from '../../support/uploads.ts'
import { csvOf } from '../tools/csv-of.ts'
import type { World } from '../world.ts'
import type { Undertaking } from './deed.ts'

const ROWS = 40_000

export const launchWorkflow: Undertaking = {
  name: 'launch of a workflow',
  succeeds: [201],
  repeated: [201],
  async prepare(world) {
    const { admin } = world.people
    const uuid = await configuredWorkflow(world)
    return {
      run: (client) => client.as(admin).post(`/workflows/${uuid}/launch`),
      async state() {
        const list = await world.client.as(admin).get(`/workflows/${uuid}/runs`)
        expect(list.status, list.text).to.equal(200)
        const runs = list.body.items as { status: string; rowCount: number | null }[]
        if (runs.some(({ status }) => status === 'QUEUED' || status === 'RUNNING')) return null
        const done = runs.filter(({ status }) => status === 'SUCCEEDED')
        for (const { rowCount } of done) expect(rowCount, 'rows of a run').to.equal(ROWS)
        return done.length > 0 ? 'done' : 'undone'
      },
    }
  },
}

async function configuredWorkflow(world: World): Promise<string> {
  const client = world.client.as(world.people.admin)
  const form = formOf('launched.csv', csvOf('launched', ROWS))
  const document = await client.request('POST', '/documents', form)
  expect(document.status, document.text).to.equal(201)
  const workflow = await client.post('/workflows', { name: 'Deed' })
  expect(workflow.status, workflow.text).to.equal(201)
  const config = await client.post(`/workflows/${workflow.body.uuid as string}/source-config`, {
    sourceType: 'document',
    documentUuid: document.body.uuid as string,
  })
  expect(config.status, config.text).to.equal(200)
  return workflow.body.uuid as string
}
