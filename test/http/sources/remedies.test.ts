import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import {
  created,
  createFromFile,
  freshTableName,
  reloadWith,
  sourceForm,
} from '../../support/sources.ts'
import { formOf } from '../../support/uploads.ts'
import { found } from '../../support/patience.ts'

const DATES = ['03/01/2024', '15/01/2024', '16/01/2024', '17/01/2024', '18/01/2024']
const GOOD = `Ville;Le\n${DATES.map((date) => `Brest;${date}\n`).join('')}`
const BAD = `${GOOD}Lyon;inconnue\n`

interface Remedy {
  readonly options: Record<string, unknown>
  readonly message: string
  readonly leaves: number
}

describe('the way out of a refused file', () => {
  const app = useApp()
  let client: TestClient

  before(async () => {
    client = app.client.as(await app.build.user())
  })

  const first: Remedy = {
    options: { nullValues: ['inconnue'] },
    message: 'Take “inconnue” for blank cells.',
    leaves: 0,
  }

  it('is in the answer to a creation, and each remedy loads the file', async () => {
    const { status, body } = await createFromFile(client, BAD)
    expect(status).to.equal(400)
    expect(body.code).to.equal('SourceDataInvalidException')
    expect(body.remedies[0]).to.deep.equal(first)
    for (const { options, leaves } of body.remedies as Remedy[]) {
      const { rejectedCount } = await created(createFromFile(client, BAD, { options }))
      expect(rejectedCount).to.equal(leaves)
    }
  })

  it('is said in the language of the reader', async () => {
    const form = sourceForm({ source: 'file', name: 'S', tableName: freshTableName() }, BAD)
    const french = client.withHeaders({ 'accept-language': 'fr' })
    const { body } = await french.request('POST', '/sources', { content: form })
    expect(body.remedies[0].message).to.match(
      /^Prendre «\s*inconnue\s*» pour des cellules vides\.$/,
    )
  })

  it('is in the error of a job', async () => {
    const form = sourceForm({ source: 'file', name: 'S', tableName: freshTableName() }, BAD)
    const later = client.withHeaders({ prefer: 'respond-async' })
    const { status, body } = await later.request('POST', '/sources', { content: form })
    expect(status).to.equal(202)
    const job = await found('the job has failed', async () => {
      const answer = await client.get(`/jobs/${body.uuid}`)
      return answer.body.status === 'FAILED' ? answer.body : null
    })
    expect(job.error.remedies[0]).to.deep.equal(first)
  })

  it('is in the answer to a reload and in the record of the load, and mends it', async () => {
    const { uuid } = await created(createFromFile(client, GOOD, { options: { timezone: 'UTC' } }))
    const reload = reloadWith(() => client)
    const { status, body } = await reload(uuid, BAD)
    expect(status).to.equal(400)
    const [remedy] = body.remedies as Remedy[]
    // A reload takes the options that it is given in the place of those of the source.
    expect(remedy!.options).to.deep.equal({ timezone: 'UTC', nullValues: ['inconnue'] })
    const { body: loads } = await client.get(`/sources/${uuid}/loads`)
    expect(loads.items[0].error.remedies[0]).to.deep.equal(remedy)
    expect((await reload(uuid, BAD, { options: remedy!.options })).status).to.equal(200)
  })

  it('is in the answer to a preview that cannot read the file', async () => {
    const { status, body } = await client.request('POST', '/sources/preview', {
      content: sourceForm({}, 'a;b;c\n1;2;3\n4;5\n'),
    })
    expect(status).to.equal(400)
    expect(body.code).to.equal('SourceFileMalformedException')
    expect(body.remedies.map(({ options }: Remedy) => options)).to.deep.equal([
      { ragged: 'pad' },
      { onInvalid: 'skip' },
    ])
  })

  it('points into the body where an option does not go with the file', async () => {
    const { status, body } = await client.request('POST', '/sources/preview', {
      content: sourceForm({ options: { format: 'excel' } }, GOOD),
    })
    expect(status).to.equal(400)
    expect(body.errors[0].pointer).to.equal('/options/format')
    expect(body.remedies[0].options).to.deep.equal({ format: 'csv' })
  })

  it('is with the warnings of a preview, where an option would mend what they tell', async () => {
    const { body } = await client.request('POST', '/sources/preview', {
      content: sourceForm({}, 'n;le\n1;01/02/2024\n'),
    })
    expect(body.warnings[0]).to.deep.include({ code: 'day-and-month-ambiguous' })
    expect(body.warnings[0].remedies[0].options).to.deep.equal({
      columns: [{ name: 'le', type: 'date', dateFormat: 'MM/DD/YYYY' }],
    })
  })

  it('is in the answer to a launch', async () => {
    const document = await client.request('POST', '/documents', formOf('bad.csv', BAD))
    const workflow = (await client.post('/workflows', { name: 'W' })).body
    const config = { sourceType: 'document', documentUuid: document.body.uuid }
    await client.post(`/workflows/${workflow.uuid}/source-config`, config)
    const { status, body } = await client.post(`/workflows/${workflow.uuid}/launch`, {})
    expect(status).to.equal(400)
    expect(body.remedies[0]).to.deep.equal(first)
  })
})
