import { defineFormat, type Input, type RecordPages } from '../../../../pipelines/index.ts'
import { openRecords } from '../../../../pipelines/readers/records/open-records.ts'
import { describeReader } from '../../../contracts/reader.ts'

/** A connector reduced to its least: every line of its input is a page of records. */
async function* pagesOf({ head, rest }: Input): RecordPages {
  const decoder = new TextDecoder()
  const flow = rest()
  let text = decoder.decode(head.bytes, { stream: true })
  for (;;) {
    const lines = text.split('\n')
    text = lines.pop()!
    for (const line of lines) yield [Buffer.from(line)]
    const chunk = await flow.next()
    if (chunk === null) return
    text += decoder.decode(chunk, { stream: true })
  }
}

/** Records come from a source of pages, not of bytes; this one makes its pages of bytes. */
const format = defineFormat({
  name: 'pages',
  sourceType: 'PAGES',
  options: {},
  recognises: () => 'certainly',
  async open(input, context) {
    const columns = [{ key: 'q1', label: 'Nom' }]
    const records = { kind: 'records', columns, pages: () => pagesOf(input) } as const
    const reading = openRecords(records, context)
    return {
      reader: reading.reader,
      get headers() {
        return reading.headers
      },
      headersGrow: true,
      layout: reading.layout,
      next: () => reading.next(),
      rawRow: (batch, row) => reading.rawRow(batch, row),
      place: () => null,
      describe: () => reading.describe(),
      close: async () => reading.close?.(),
    }
  },
})

const lines = (...pages: readonly (readonly unknown[])[]) =>
  Buffer.from(pages.map((page) => `${JSON.stringify(page)}\n`).join(''))

describeReader('The records reader', {
  format,
  inputs: [
    { name: 'one page', bytes: lines([{ q1: 'Zoé' }, { q1: null }, {}]) },
    { name: 'an empty page between', bytes: lines([{ q1: 'Zoé' }], [], [{ q1: 'Léa' }]) },
    {
      name: 'keys that come late, nested values, attachments',
      bytes: lines(
        [{ q1: 'Zoé' }],
        [{ q1: ['b', 'a'], q2: { z: 1, a: [true, null] } }, { q3: [{ id: 7, name: 'é.pdf' }] }],
      ),
    },
    { name: 'texts that cannot be stored', bytes: lines([{ q1: 'a\0b' }, { q1: '\ud800' }]) },
  ],
  large: () =>
    lines(
      ...Array.from({ length: 500 }, (_, page) =>
        Array.from({ length: 20 }, (__, row) => ({
          q1: `n° ${page}/${row}`,
          q2: [page, 'é'.repeat(20)],
        })),
      ),
    ),
})
