import { expect } from 'chai'

import {
  EXAMPLE_CSV,
  EXAMPLE_REJECTS_CSV,
  exampleOptions,
  exampleReject,
} from '../../../src/http/presenters/example-table.ts'
import { sourceDataSchema } from '../../../src/http/presenters/present-source-data.ts'
import { sourcePreviewSchema } from '../../../src/http/presenters/present-source-preview.ts'
import { exampleSource } from '../../../src/http/presenters/present-source.ts'
import { examplesOf } from '../../../src/resources/schema.ts'
import { useApp } from '../../support/app.ts'
import type { TestClient, TestResponse } from '../../support/client.ts'
import { created, createFromFile, sourceForm } from '../../support/sources.ts'

const { file: shownPreview } = examplesOf(sourcePreviewSchema)
const { page: shownData } = examplesOf(sourceDataSchema)

describe('the examples of the OpenAPI document', () => {
  const app = useApp()
  let client: TestClient
  let source: TestResponse['body']

  before(async () => {
    client = app.client.as(await app.build.user())
    const { name, tableName } = exampleSource
    const fields = { name, tableName, options: exampleOptions }
    source = await created(createFromFile(client, EXAMPLE_CSV, fields))
  })

  it('show a preview as it is answered', async () => {
    const content = sourceForm({ options: exampleOptions }, EXAMPLE_CSV)
    const { body } = await client.request('POST', '/sources/preview', { content })
    expect(body).to.containSubset(shownPreview)
  })

  it('show a source and its report as they are answered', () => {
    const { uuid: _uuid, createdAt: _c, updatedAt: _u, loadedAt: _l, ...others } = exampleSource
    // How many they are is for the database to say.
    const { bytes: _bytes, shapeUuid: _shape, ...shown } = others
    const { durationMs: _took, ...report } = shown.report as Record<string, unknown>
    expect(source).to.containSubset({ ...shown, report })
  })

  it('show rows as they are answered', async () => {
    const { body } = await client.get(`/sources/${source.uuid}/data`)
    expect(body).to.deep.equal(shownData)
  })

  it('show rejects as they are answered', async () => {
    const { body } = await client.get(`/sources/${source.uuid}/rejects`)
    expect(body.items).to.deep.equal([exampleReject])
    const { text } = await client.get(`/sources/${source.uuid}/rejects?format=csv`)
    expect(text).to.equal(EXAMPLE_REJECTS_CSV)
  })
})
