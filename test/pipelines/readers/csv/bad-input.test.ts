import { Readable } from 'node:stream'

import { expect } from 'chai'

import {
  EngineError,
  type EngineLimits,
  type IngestOptions,
  MiB,
} from '../../../../pipelines/index.ts'
import { createCsvFormat } from '../../../../pipelines/readers/csv/index.ts'
import { failure, inChunks, openReading, readTable } from '../../../contracts/reader.ts'
import { growthTenfold, IN_PROPORTION } from '../../../support/processor-time.ts'

interface Settings {
  readonly options?: IngestOptions
  readonly limits?: Partial<EngineLimits>
}

/** The same megabyte over and over, made while it is read; it counts how many were. */
function endlessly(start: string, filler: string): { stream: Readable; megabytes(): number } {
  const block = Buffer.alloc(MiB, filler)
  let made = 0
  const stream = Readable.from(
    (function* () {
      yield Buffer.from(start)
      for (;;) {
        made++
        yield block
      }
    })(),
  )
  return { stream, megabytes: () => made }
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at).join(';')
const withCell = (cell: string) => `a,b\n1,2\n3,${cell}\n`

for (const choose of ['ranges', 'general'] as const) {
  const reader = createCsvFormat(() => choose)
  const read = (text: string, settings: Settings = {}) =>
    readTable(reader, () => inChunks(Buffer.from(text), 64 * 1024), settings)

  const problem = async (text: string, settings: Settings = {}) => {
    const error = await failure(read(text, settings))
    if (!(error instanceof EngineError)) throw error
    return { message: error.message, ...error.problem }
  }

  describe(`bad input for the CSV reader on ${choose}`, () => {
    it('names the row and the line of a row with too few or too many fields', async () => {
      expect(await problem('a,b\n1,2\n"x\ny",2\n3\n')).to.deep.equal({
        kind: 'structure',
        row: 3,
        line: 5,
        message: 'Row 3 (line 5): 1 field where there are 2 columns.',
      })
      expect(await problem('a,b\n1,2\n\n1,2,3,4\n')).to.deep.equal({
        kind: 'structure',
        row: 3,
        line: 4,
        message: 'Row 3 (line 4): 4 fields where there are 2 columns.',
      })
    })

    it('counts the rows of earlier batches', async () => {
      const text = `a,b\n${'1,2\n'.repeat(200_000)}1,2,3\n`
      expect(await problem(text)).to.include({ row: 200_001, line: 200_002 })
    })

    it('names the line of a header with more columns than there can be', async () => {
      const limits = { columns: 3 }
      expect(await problem('title\n\na,b,c,d\n1,2,3,4\n', { limits })).to.deep.equal({
        kind: 'limit',
        limit: 'columns',
        line: 3,
        message: 'Line 3: 4 columns, where at most 3 can be stored.',
      })
    })

    it('names the line on which a quote is opened and never closed', async () => {
      const text = 'a,b\n"1\n1",2\n3,"4\n5,6\n7,8\n'
      expect(await problem(text)).to.include({ kind: 'structure', line: 4 })
    })

    it('names the line of a header that opens a quote, too', async () => {
      for (const text of ['a,"b\n1,2\n3,4\n', 'a;b;"c\n1;2;3\n', '"a\n1\n']) {
        expect(await problem(text)).to.include({ kind: 'structure', line: 1 })
      }
    })

    it('sets broken rows aside under skip, with their text, and reads on', async () => {
      const text = 'a,b\n1,2\n3\n4,5,6\n"7,8\n9,10\n'
      const { rows, faults, raw, lines } = await read(text, {
        options: { onInvalid: 'skip', delimiter: ',' },
      })
      expect(rows.map((row) => row[0])).to.deep.equal(['1', '3', '4', '7,8', '9'])
      expect(faults.map(({ row }) => row)).to.deep.equal([1, 2, 3])
      expect(faults.map(({ row }) => raw[row])).to.deep.equal(['3', '4,5,6', '"7,8'])
      expect(lines).to.deep.equal([2, 3, 4, 5, 6])
    })

    it('sees no fault in a blank row, however many fields it has', async () => {
      const text = 'a,b\n\n1,2\n  \n,,,\n"",""\n" "\n'
      const { rows, faults } = await read(text, { options: { delimiter: ',' } })
      expect(faults).to.deep.equal([])
      expect(rows.length).to.equal(6)
    })

    it('pads rows, drops what is blank, and cuts only when it may', async () => {
      const text = 'a,b\n1\n2,3,\n4,5, ,x\n'
      const pad: IngestOptions = { ragged: 'pad', delimiter: ',' }
      expect(await problem(text, { options: pad })).to.include({ kind: 'structure', line: 4 })
      const fit = await read(text, { options: { ...pad, ragged: 'fit' } })
      expect(fit.rows).to.deep.equal([
        ['1', null],
        ['2', '3'],
        ['4', '5'],
      ])
    })

    it('counts what it repaired', async () => {
      const text = 'a,b\n1\n2,3,\n4,5,x\n6 "x","y"z\n'
      const reading = await openReading(reader, () => inChunks(Buffer.from(text), 9), {
        options: { ragged: 'fit', delimiter: ',' },
      })
      while ((await reading.next()) !== null);
      expect(reading.report().repaired).to.deep.equal({
        quotesTakenLiterally: 2,
        spacesAroundQuotes: 0,
        namesAtBlanks: 0,
        namesMoved: 0,
        linesUnquoted: 0,
        rowsPadded: 1,
        blankFieldsDropped: 1,
        fieldsCut: 1,
      })
      await reading.close()
    })

    it('passes NUL on, which the engine refuses', async () => {
      const { rows } = await read('a,b\n1\0,"\0"\n')
      expect(rows).to.deep.equal([['1\0', '\0']])
    })

    it('reads 1,590 columns, and refuses one more', async () => {
      const row = numbers(1590)
      const { headers, rows } = await read(`${numbers(1590)}\n${row}\n${row}\n`)
      expect(headers.length).to.equal(1590)
      expect(rows[1]![1589]).to.equal('1589')
      expect(await problem(`${numbers(1591)}\n`)).to.include({ kind: 'limit', limit: 'columns' })
      expect(await problem(`${';'.repeat(3 * MiB)}\n`)).to.include({ limit: 'columns' })
    })

    it('holds cells to their limit, quoted or not', async () => {
      const limits = { cellBytes: 1000 }
      expect((await read(withCell('x'.repeat(1000)), { limits })).rows.length).to.equal(2)
      for (const cell of ['x'.repeat(1001), `"${'x'.repeat(1001)}"`]) {
        expect(await problem(withCell(cell), { limits })).to.include({
          limit: 'cellBytes',
          line: 3,
        })
      }
    })

    it('refuses a file of white space, and takes headers alone', async () => {
      expect(await problem('\n \n\t\n')).to.include({ kind: 'empty' })
      expect(await read('a;b;c')).to.deep.include({ headers: ['a', 'b', 'c'], rows: [] })
    })

    it('refuses a header row behind the end, and options that contradict one another', async () => {
      const wrong: [IngestOptions, string][] = [
        [{ headerRow: 9 }, '/headerRow'],
        [{ delimiter: '\n' }, '/delimiter'],
        [{ delimiter: '"', quote: '"' }, '/quote'],
        [{ quote: '\n' }, '/quote'],
      ]
      for (const [options, pointer] of wrong) {
        expect(await problem('a;b\n1;2\n', { options })).to.include({ kind: 'options', pointer })
      }
    })
  })
}

describe('the range reader and very long input', () => {
  const reader = createCsvFormat(() => 'ranges')

  it('reads cells of many megabytes cut into pieces', async () => {
    const cell = 'é"x'.repeat(2 * MiB)
    const text = `a,b\n1,"${cell.replaceAll('"', '""')}"\n2,${'y'.repeat(3 * MiB)}\n`
    const { rows } = await readTable(reader, () => inChunks(Buffer.from(text), 60_000))
    expect(rows[0]![1] === cell).to.equal(true)
    expect(rows[1]![1]!.length).to.equal(3 * MiB)
  })

  const endless: [string, string, string][] = [
    ['a quote that is never closed', 'a,b\n1,"', 'x'],
    ['a cell that does not end', 'a,b\n1,', 'x'],
    ['a row that does not end', 'a,b\n1', ',23456789'],
    ['a header that does not end', 'a,b', ',c'],
  ]
  for (const [name, start, filler] of endless) {
    it(`gives up on ${name} after as much as the limits allow`, async () => {
      const { stream, megabytes } = endlessly(start, filler)
      const error = await failure(readTable(reader, () => stream, { options: { delimiter: ',' } }))
      expect(error).to.be.instanceOf(EngineError)
      expect((error as EngineError).problem.kind).to.be.oneOf(['limit', 'structure'])
      expect(megabytes()).to.be.lessThan(512)
    })
  }

  it('sets an open quote aside and reads megabytes behind it once more, not once a row', async () => {
    const quoted = '2,"quoted ""text"""\n'
    const growth = await growthTenfold(async (rows) => {
      const text = `a,b\n"open,1\n${quoted.repeat(rows)}"open again,3\n4,5\n`
      const table = await readTable(reader, () => inChunks(Buffer.from(text), 64 * 1024), {
        options: { onInvalid: 'skip' },
        limits: { cellBytes: 64 * 1024 },
      })
      expect(table.lines.at(-1)).to.equal(rows + 4)
    })
    expect(growth).to.be.below(IN_PROPORTION)
  })

  it('gives its rows in batches of less than a megabyte', async () => {
    const text = 'a,b,c\n'.concat('1,"two ""2""",three\n'.repeat(400_000))
    const reading = await openReading(reader, () => inChunks(Buffer.from(text), 64 * 1024))
    let longest = 0
    for (let batch = await reading.next(); batch !== null; batch = await reading.next()) {
      longest = Math.max(longest, batch.bytes.length)
    }
    await reading.close()
    // Whoever asks for a batch may let others have their turn before the next.
    expect(longest).to.be.lessThan(MiB)
  })
})
