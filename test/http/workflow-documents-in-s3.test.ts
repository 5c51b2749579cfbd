import { expect } from 'chai'
import ExcelJS from 'exceljs'

import { useApp } from '../support/app.ts'
import { type S3Server, startS3Server } from '../support/s3-server/index.ts'
import { buildWorkflowWorld } from '../support/workflow-world.ts'

const BUCKET = 'workflow-documents'
const CREDENTIALS = { accessKeyId: 'test-key', secretAccessKey: 'test-secret' }
const NO_FORMS = { url: 'https://forms.test', apiKey: 'a-key-of-nowhere' }

async function workbook(): Promise<Buffer> {
  const book = new ExcelJS.Workbook()
  const sheet = book.addWorksheet('Feuil1')
  sheet.addRow(['Nom', 'Âge'])
  sheet.addRow(['Élodie', 41])
  return Buffer.from(await book.xlsx.writeBuffer())
}

describe('workflows whose documents lie in S3', () => {
  let server: S3Server
  before('starts an S3 server', async () => {
    server = await startS3Server({ ...CREDENTIALS, buckets: [BUCKET] })
  })
  const app = useApp({
    env: () => ({
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: server.endpoint,
      S3_FORCE_PATH_STYLE: 'true',
      S3_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      S3_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    }),
  })
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
    it(`configure, preview and launch ${what}`, async () => {
      const { as, path, upload, configure } = await buildWorkflowWorld(app, NO_FORMS)
      await configure({ sourceType: 'document', documentUuid: await upload('x', await content()) })
      expect((await as.get(`${path}/source-preview`)).body).to.deep.equal(SHOWN)
      const { status, body } = await as.post(`${path}/launch`)
      expect(status).to.equal(201)
      const { rows } = await app.database.pool.query(`select nom, age from ${body.table}`)
      expect(rows).to.deep.equal([{ nom: 'Élodie', age: 41 }])
    })
  }

  it('answer 503 while the storage fails, and record the run', async () => {
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
})
