import { expect } from 'chai'
import ExcelJS from 'exceljs'

import { useApp } from '../../support/app.ts'
import { parquetFixtures } from '../../support/fixtures.ts'
import { type S3Server, startS3Server } from '../../support/s3-server/index.ts'
import {
  created,
  createFromFile,
  freshTableName,
  rowsOfSource,
  sourceForm,
} from '../../support/sources.ts'
import { buildWorkflowWorld } from '../../support/workflow-world.ts'

const NO_FORMS = { url: 'https://forms.test', apiKey: 'a-key-of-nowhere' }

async function workbook(): Promise<Buffer> {
  const book = new ExcelJS.Workbook()
  const sheet = book.addWorksheet('Feuil1')
  sheet.addRow(['Nom', 'Âge'])
  sheet.addRow(['Élodie', 41])
  return Buffer.from(await book.xlsx.writeBuffer())
}

describe('files that lie in S3', () => {
  let server: S3Server
  before('starts an S3 server', async () => {
    server = await startS3Server({ buckets: ['files'] })
  })
  const app = useApp({ env: () => server.settings })
  after('stops the S3 server', () => server.close())
  afterEach(() => server.clearFaults())

  const SHOWN = {
    columns: [
      { name: 'Nom', type: 'text' },
      { name: 'Âge', type: 'number' },
    ],
    data: [{ Nom: 'Élodie', Âge: 41 }],
    rowCount: 1,
    isSample: false,
  }

  for (const [what, content] of [
    ['a CSV', async () => 'Nom;Âge\nÉlodie;41\n'],
    ['JSON', async () => '[{"Nom":"Élodie","Âge":41}]'],
    ['a workbook', workbook],
  ] as const) {
    it(`let a workflow be configured, previewed and launched: ${what}`, async () => {
      const { as, path, upload, configure } = await buildWorkflowWorld(app, NO_FORMS)
      await configure({ sourceType: 'document', documentUuid: await upload('x', await content()) })
      expect((await as.get(`${path}/source-preview`)).body).to.deep.equal(SHOWN)
      const { status, body } = await as.post(`${path}/launch`)
      expect(status).to.equal(201)
      const { rows } = await app.database.pool.query(`select nom, age from ${body.table}`)
      expect(rows).to.deep.equal([{ nom: 'Élodie', age: 41 }])
    })
  }

  it('let a run fail with 503 while the storage fails, which is recorded', async () => {
    const { as, path, upload, configure } = await buildWorkflowWorld(app, NO_FORMS)
    await configure({ sourceType: 'document', documentUuid: await upload('x', 'a;b\n1;2\n') })
    const fault = {
      operation: 'GetObject',
      kind: 'answer',
      status: 500,
      code: 'InternalError',
    } as const
    server.addFault({ ...fault, times: Infinity })
    const failed = await as.post(`${path}/launch`)
    expect([failed.status, failed.body.code]).to.deep.equal([503, 'ServiceUnavailableException'])
    const [run] = (await as.get(`${path}/runs`)).body.items
    expect(run).to.include({ uuid: failed.body.runUuid, status: 'FAILED', table: null })
    expect((await as.get(`${path}/source-preview`)).status).to.equal(503)
    server.clearFaults()
    expect((await as.post(`${path}/launch`)).status).to.equal(201)
  })

  it('are read by ranges where they are Parquet: previewed, loaded and loaded again', async () => {
    const { as, upload } = await buildWorkflowWorld(app, NO_FORMS)
    const content = new Uint8Array(
      parquetFixtures().find(({ name }) => name === 'types.parquet')!.bytes,
    )
    const documentUuid = await upload('a.parquet', Buffer.from(content))
    const rangesOf = async <T>(work: () => Promise<T>): Promise<T> => {
      const before = server.callsOf('GetObject').length
      const result = await work()
      const statuses = server
        .callsOf('GetObject')
        .slice(before)
        .map(({ status }) => status)
      expect(statuses.filter((status) => status === 206)).to.have.length.at.least(3)
      return result
    }
    const ofDocument = await rangesOf(() => as.post('/sources/preview', { documentUuid }))
    const ofUpload = await as.request('POST', '/sources/preview', {
      content: sourceForm({}, content, 'a.parquet'),
    })
    expect(ofDocument.status, ofDocument.text).to.equal(200)
    expect(ofDocument.body).to.deep.equal(ofUpload.body)
    const uploaded = await created(createFromFile(as, content, {}, 'a.parquet'))
    const fields = { source: 'file', name: 'Of a document', tableName: freshTableName() }
    const stored = await rangesOf(() => created(as.post('/sources', { ...fields, documentUuid })))
    const rowsOf = rowsOfSource(() => as)
    const rows = await rowsOf(uploaded.uuid)
    expect(await rowsOf(stored.uuid)).to.deep.equal(rows)
    for (const { uuid } of [uploaded, stored]) {
      const { status, text } = await rangesOf(() => as.post(`/sources/${uuid}/reload`, {}))
      expect(status, text).to.equal(200)
      expect(await rowsOf(uuid)).to.deep.equal(rows)
    }
  })
})
