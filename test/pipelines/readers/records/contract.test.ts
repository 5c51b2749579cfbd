import { addAbortSignal, type Readable } from 'node:stream'

import type { Reader, ReadPage, RecordPage } from '../../../../pipelines/index.ts'
import { createRecordsReader } from '../../../../pipelines/readers/records/records-reader.ts'
import { describeReader } from '../../../contracts/reader.ts'

/** A connector reduced to its least: every line of its stream is a page of records. */
async function* pagesOf(stream: Readable, readPage: ReadPage): AsyncGenerator<RecordPage> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield readPage([Buffer.from(line)])
  }
}

/** Records come from a source of pages, not of bytes; this one makes its pages of bytes. */
const reader: Reader = {
  name: 'records',
  async open(source, context) {
    context.signal.throwIfAborted()
    const stream = addAbortSignal(context.signal, await source.open(context.signal))
    stream.on('error', () => stream.destroy())
    const reading = await createRecordsReader().open(
      {
        kind: 'records',
        columns: [{ key: 'q1', label: 'Nom' }],
        pages: (_signal, readPage) => pagesOf(stream, readPage),
      },
      context,
    )
    return {
      reader: reading.reader,
      get headers() {
        return reading.headers
      },
      bytesRead: 0,
      next: () => reading.next(),
      rawRow: (batch, row) => reading.rawRow(batch, row),
      place: () => null,
      describe: () => reading.describe(),
      async close() {
        await reading.close()
        stream.destroy()
      },
    }
  },
}

const lines = (...pages: readonly (readonly unknown[])[]) =>
  Buffer.from(pages.map((page) => `${JSON.stringify(page)}\n`).join(''))

describeReader('The records reader', {
  reader,
  countsBytes: false,
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
