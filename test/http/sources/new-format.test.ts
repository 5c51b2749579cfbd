import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { expect } from 'chai'

import { makeFolder } from '../../support/folder.ts'
import { type TestClient, createClient } from '../../support/client.ts'
import { useDatabase } from '../../support/database.ts'
import { createFactories, TEST_ENCRYPTION_KEYS } from '../../support/factories.ts'
import { type ServerProcess, startServer } from '../../support/server-process.ts'
import { created, createFromFile, sourceForm } from '../../support/sources.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const AUTH_SECRET = 'a-secret-that-only-tests-know-of-0123456789'
const LIST = 'pipelines/engine/standard-formats.ts'

/** The product in a folder of its own, with one folder more and one line more in one list. */
async function copyWithNewFormat(to: string): Promise<void> {
  for (const part of ['src', 'pipelines', 'migrations', 'seeds', 'package.json']) {
    await cp(join(ROOT, part), join(to, part), { recursive: true })
  }
  await symlink(join(ROOT, 'node_modules'), join(to, 'node_modules'), 'junction')
  const format = await readFile(join(ROOT, 'test/support/new-format/pairs.ts'), 'utf8')
  await mkdir(join(to, 'pipelines/readers/pairs'))
  await writeFile(
    join(to, 'pipelines/readers/pairs/index.ts'),
    format.replaceAll('../../../pipelines/', '../../'),
  )
  const list = await readFile(join(ROOT, LIST), 'utf8')
  const entry = '  csvFormat,\n'
  expect(list.split(entry)).to.have.length(2)
  await writeFile(
    join(to, LIST),
    `import { pairsFormat } from '../readers/pairs/index.ts'\n${list.replace(entry, `${entry}  pairsFormat,\n`)}`,
  )
}

describe('a format that is one folder and one line', () => {
  let folder: string
  let server: ServerProcess | undefined
  let client: TestClient
  // Hooks run in the order in which they are told: stopped before its database is dropped.
  after(async () => {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const database = useDatabase()
  const build = createFactories(() => database.pool)

  before('starts a product that has it', async () => {
    folder = await makeFolder('new-format')
    await copyWithNewFormat(folder)
    server = await startServer(
      {
        DATABASE_URL: database.url,
        DATA_DIR: join(folder, 'data'),
        AUTH_SECRET,
        ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
      },
      { script: join(folder, 'src/main.ts') },
    )
    // Every answer is held to the OpenAPI document of this very product.
    client = createClient(server.address, AUTH_SECRET).as(await build.user())
  })
  const PAIRS = '#pairs\nnom=12\nâge=41\n'
  const preview = (content: string, options: object = {}) =>
    client.request('POST', '/sources/preview', { content: sourceForm({ options }, content) })
  const rows = async (uuid: string) => (await client.get(`/sources/${uuid}/data`)).body.items

  it('is described with its options', async () => {
    const { body } = await client.get('/openapi.json')
    const { format, between } = body.components.schemas.IngestOptions.properties
    expect(format.enum).to.include.members(['csv', 'pairs'])
    expect(between.description).to.equal('For pairs. Default: =')
  })

  it('is recognised and previewed', async () => {
    const { status, body, text } = await preview(PAIRS)
    expect(status, text).to.equal(200)
    expect(body).to.deep.include({ format: 'pairs', reader: 'pairs', warnings: [] })
    expect(body.data).to.deep.equal([
      { key: 'nom', value: 12 },
      { key: 'âge', value: 41 },
    ])
  })

  it('takes the options that it declares, and warns of those of others', async () => {
    const { body } = await preview('#pairs\nnom:12\n', { between: ':', sheet: 1 })
    expect(body.data).to.deep.equal([{ key: 'nom', value: 12 }])
    expect(body.warnings).to.deep.equal([
      {
        code: 'option-means-nothing',
        message: 'The option sheet has no meaning for pairs, and was ignored.',
      },
    ])
    const wrong = await preview(PAIRS, { between: '::' })
    expect(wrong.status).to.equal(400)
    expect(wrong.body.errors[0].pointer).to.equal('/options/between')
    const other = await preview('a;b\n1;2\n', { format: 'pairs' })
    expect(other.body.errors[0].pointer).to.equal('/options/format')
  })

  it('is loaded, and its rejects are given out and corrected', async () => {
    const options = { onInvalid: 'skip', columns: [{ name: 'value', type: 'number' }] }
    const sent = '#pairs\nnom=12\nâge=vieux\nsans valeur\n'
    const source = await created(createFromFile(client, sent, { options }))
    expect(source).to.include({ sourceType: 'PAIRS', rowCount: 1, rejectedCount: 2 })
    const { text } = await client.get(`/sources/${source.uuid}/rejects?format=csv`)
    expect(text.trimEnd().split('\r\n').slice(1)).to.deep.equal([
      'Invalid number: “vieux”,1,âge,vieux',
      'there is no = in it,2,sans valeur,',
    ])
    const corrected = text.replace(',vieux', ',41').replace('sans valeur,', 'sans valeur,0')
    const answer = await client.request('POST', `/sources/${source.uuid}/rejects`, {
      content: sourceForm({}, corrected),
    })
    expect(answer.body, answer.text).to.include({ rowCount: 3, rejectedCount: 0 })
    expect(await rows(source.uuid)).to.deep.equal([
      { key: 'nom', value: 12 },
      { key: 'âge', value: 41 },
      { key: 'sans valeur', value: 0 },
    ])
  })

  it('is loaded again from what is kept, and from another file', async () => {
    const { uuid } = await created(createFromFile(client, PAIRS))
    const reload = (content?: FormData) =>
      client.request('POST', `/sources/${uuid}/reload`, content && { content })
    expect((await reload()).body).to.include({ sourceType: 'PAIRS', rowCount: 2 })
    const other = sourceForm({}, 'key;value\nnom;13\n')
    expect((await reload(other)).body).to.include({ sourceType: 'CSV', rowCount: 1 })
    expect((await reload(sourceForm({}, PAIRS))).body).to.include({ sourceType: 'PAIRS' })
  })

  it('is read from a document', async () => {
    const content = sourceForm({}, PAIRS)
    const document = await client.request('POST', '/documents', { content })
    const source = await created(
      client.post('/sources', {
        source: 'file',
        name: 'Document',
        tableName: 'from_document',
        documentUuid: document.body.uuid,
      }),
    )
    expect(source).to.include({ sourceType: 'PAIRS', rowCount: 2 })
  })
})
