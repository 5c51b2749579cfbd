import { expect } from 'chai'
import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'

import { EngineError, type IngestOptions } from '../../../../pipelines/index.ts'
import { createCsvFormat } from '../../../../pipelines/readers/csv/index.ts'
import { inChunks, readTable } from '../../../contracts/reader.ts'

const ranges = createCsvFormat(() => 'ranges')
const general = createCsvFormat(() => 'general')

/** What a reader makes of it: the table, or the problem it sees. */
async function outcome(reader: typeof ranges, text: string, options: IngestOptions, size = 1e6) {
  try {
    return await readTable(reader, () => inChunks(Buffer.from(text), size), { options })
  } catch (error) {
    if (error instanceof EngineError) return { message: error.message, problem: error.problem }
    throw error
  }
}

/** Text that is nearly all syntax, so that every turn of it comes up. */
const syntax = fc
  .array(fc.constantFrom('"', '""', ',', '\n', '\r\n', '\r', 'a', 'é', '💶', ' ', '1'), {
    minLength: 1,
    maxLength: 60,
  })
  .map((parts) => parts.join(''))

const field = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom('', 'a"b', 'x\r\ny', ',', '""', '\n', 'N/A') },
)

const table = fc.integer({ min: 2, max: 6 }).chain((width) =>
  fc.array(fc.array(field, { minLength: width, maxLength: width }), {
    minLength: 2,
    maxLength: 12,
  }),
)

const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`
const needsQuotes = (value: string) => /["\r\n,]|^\s|\s$/.test(value) || value === ''
const write = (rows: readonly (readonly string[])[], lineEnd: string) =>
  rows.map((row) => row.map((v) => (needsQuotes(v) ? quoted(v) : v)).join(',')).join(lineEnd)

describe('the two CSV readers', () => {
  const policies: IngestOptions[] = [
    {},
    { onInvalid: 'skip' },
    { onInvalid: 'skip', ragged: 'pad' },
    { ragged: 'fit' },
  ]
  for (const policy of policies) {
    it(`agree on any text under ${JSON.stringify(policy)}`, async () => {
      await fc.assert(
        fc.asyncProperty(syntax, fc.integer({ min: 1, max: 9 }), async (text, size) => {
          const options = { delimiter: ',', quote: '"', headerRow: 1, ...policy }
          expect(await outcome(ranges, text, options, size)).to.deep.equal(
            await outcome(general, text, options),
          )
        }),
        { numRuns: 250 },
      )
    })
  }

  it('agree where the dialect is found', async () => {
    await fc.assert(
      fc.asyncProperty(syntax, async (text) => {
        const options: IngestOptions = { onInvalid: 'skip', ragged: 'fit' }
        expect(await outcome(ranges, text, options)).to.deep.equal(
          await outcome(general, text, options),
        )
      }),
      { numRuns: 250, examples: [['1, ""\r ']] },
    )
  })

  it('give back the cells that were written, as csv-parse alone does', async () => {
    const lineEnds = fc.constantFrom('\n', '\r\n')
    await fc.assert(
      fc.asyncProperty(
        table,
        lineEnds,
        fc.integer({ min: 1, max: 40 }),
        async (rows, end, size) => {
          const text = write(rows, end)
          const read = await readTable(ranges, () => inChunks(Buffer.from(text), size), {
            options: { delimiter: ',', headerRow: 1, notes: 'load', encoding: 'utf-8' },
          })
          expect([read.headers, ...read.rows]).to.deep.equal(rows)
          expect(parse(text, { record_delimiter: ['\r\n', '\n', '\r'] })).to.deep.equal(rows)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('keep every row as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(syntax, async (text) => {
        const options: IngestOptions = {
          delimiter: ',',
          headerRow: 1,
          notes: 'load',
          onInvalid: 'skip',
        }
        const header = 'a,b\n'
        const result = await outcome(ranges, header + text, options)
        if (!('raw' in result)) throw new Error(result.message)
        let at = 0
        for (const raw of result.raw) {
          const found = text.indexOf(raw, at)
          expect(text.slice(at, found)).to.match(/^[\r\n]*$/)
          at = found + raw.length
        }
        expect(text.slice(at)).to.match(/^[\r\n]*$/)
      }),
      { numRuns: 250 },
    )
  })
})
