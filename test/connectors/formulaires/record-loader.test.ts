import { expect } from 'chai'

import { EngineError } from '../../../pipelines/index.ts'
import { ConnectorError } from '../../../src/connectors/errors.ts'
import { createFormResponsesLoader } from '../../../src/connectors/formulaires/record-loader.ts'
import { readAll } from './support.ts'

const LIMITS = { maxPages: 9, maxEmptyPages: 9, maxRows: 9, maxBytes: 99_999, loadTimeoutMs: 9999 }
const FORM = {
  uuid: '11111111-1111-4111-8111-111111111111',
  title: 'Formulaire',
  publicationStatus: null,
  recordCount: 1,
  updatedAt: null,
  columns: [{ key: 'a', label: 'Nom', type: 'text' }],
}

/** What comes of a form whose first page is this text, and which cursors were asked for. */
async function load(...pages: readonly string[]) {
  const cursors: unknown[] = []
  const source = createFormResponsesLoader({
    client: {
      get: async () => ({ value: null, bytes: 0 }),
      async getBytes(_access, { query }) {
        cursors.push(query?.['cursor'])
        const page = pages[Math.min(cursors.length, pages.length) - 1]!
        return { value: [Buffer.from(page)], bytes: page.length }
      },
    },
    pageSize: 1000,
    limits: LIMITS,
  })({ baseUrl: 'https://forms.example', apiKey: 'key' }, FORM)
  return { rows: await readAll(source).catch((error: unknown) => error), cursors }
}

const end = '"nextCursor":null,"total":1'
const page = (values: string, beside = '') => `{"items":[{"values":${values}}],${beside}${end}}`
const deep = `${'['.repeat(300)}${']'.repeat(300)}`
const crowd = Array.from({ length: 50_001 }, (_, k) => `"k${k}":0`).join(',')

describe('a page of records', () => {
  for (const [what, text, message] of [
    ['cut off', page('{"a":1}').slice(0, 25), /in row 1, at byte 25: .* the end of the input/],
    ['too deep in a value', page(`{"a":${deep}}`), /Row 1: “a”: nested more than 200 deep/],
    ['too deep where nobody reads', page('{}', `"x":${deep},`), /nested more than 200 deep/],
    ['a crowd of members', page(`{"a":{${crowd}}}`), /more than 50000 members/],
    ['without its end', '{"items":[]}', /documented shape at \//],
  ] as const) {
    it(`is the remote application's fault where it is ${what}`, async () => {
      const { rows } = await load(text)
      expect(rows).to.be.instanceOf(ConnectorError)
      const { message: told, problem } = rows as ConnectorError
      expect(problem).to.deep.equal({ kind: 'failed', reason: 'malformed' })
      expect(told).to.match(/^The remote application’s answer/)
      expect(told).to.match(message)
    })
  }

  it('is refused with the limit of the table when it has more columns', async () => {
    const wide = Array.from({ length: 1591 }, (_, k) => `"k${k}":0`).join(',')
    const { rows } = await load(page(`{${wide}}`))
    expect(rows).to.be.instanceOf(EngineError)
    const { problem } = rows as EngineError
    expect(problem).to.deep.equal({ kind: 'limit', limit: 'columns', row: 1 })
  })

  it('is followed by the page of its cursor, whatever characters that has', async () => {
    const first = '{"items":[],"total":1,"nextCursor":"a\\u0000\\"é"}'
    const { rows, cursors } = await load(first, page('{"a":"x"}'))
    expect(rows).to.deep.equal([{ a: 'x' }])
    expect(cursors).to.deep.equal([undefined, 'a\0"é'])
  })
})
