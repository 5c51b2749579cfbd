import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'

import { expect } from 'chai'

import {
  type ByteSource,
  createEngine,
  type IngestOptions,
  MiB,
  SampleTooLongError,
} from '../../../pipelines/index.ts'
import { useDatabase } from '../../support/database.ts'
import { bytesOf, loadInto } from './loading.ts'
import { patience } from '../../support/patience.ts'

const CSV = 'Né le;Prix;Actif\n31/12/1999;1 234,50;oui\nnever;;non\n0;2;oui\n'

function preview(text: string, limit: number, options: IngestOptions = {}) {
  return createEngine({ tempDir: tmpdir() }).preview(bytesOf(text), options, {
    limit,
    signal: patience(),
  })
}

describe('a preview', () => {
  const database = useDatabase()

  it('shows rows as they would be stored, as JSON, and counts bad cells', async () => {
    const shown = await preview(CSV, 20, { columns: [{ name: 'Né le', type: 'date' }] })
    expect(shown.rows).to.deep.equal([
      ['"1999-12-31"', '1234.50', 'true'],
      [null, null, 'false'],
      [null, '2', 'true'],
    ])
    expect(shown.invalidCells).to.equal(1)
    expect(shown.isSample).to.equal(false)
  })

  it('says of each line what it was taken for', async () => {
    const file = 'Ventes de mars\n\nNom;Prix\n\nAnne;1\n\nBruno;2\nClaire;3\n\nSource : caisse\n'
    const shown = await preview(file, 20)
    expect(shown.lines).to.deep.equal([
      { line: 1, role: 'title' },
      { line: 3, role: 'header' },
      { line: 5, role: 'data' },
      { line: 7, role: 'data' },
      { line: 8, role: 'data' },
      { line: 10, role: 'note' },
    ])
    const first = await preview(file, 2)
    expect(first.lines.filter(({ role }) => role === 'data')).to.deep.equal([
      { line: 5, role: 'data' },
      { line: 7, role: 'data' },
    ])
  })

  it('counts lines as the options do, where nothing but figures stands', async () => {
    const shown = await preview('2021;2022\n5;6\n7;8\n', 20, { headerRow: 1 })
    expect(shown.lines).to.deep.equal([
      { line: 1, role: 'header' },
      { line: 2, role: 'data' },
      { line: 3, role: 'data' },
    ])
  })

  it('names a broken line, which is no row, and rows by number where there are no lines', async () => {
    const broken = await preview('a;b\n1;2\n3\n4;5\n', 20, { onInvalid: 'skip' })
    expect(broken.rows).to.have.length(2)
    expect(broken.lines.map(({ line, role }) => `${line} ${role}`)).to.deep.equal([
      '1 header',
      '2 data',
      '3 broken',
      '4 data',
    ])
  })

  it('says when there is more than it shows', async () => {
    const shown = await preview(CSV, 2)
    expect(shown.rows).to.have.length(2)
    expect(shown.isSample).to.equal(true)
  })

  it('does not read a row to its end that is longer than what may be shown', async () => {
    const control = { mostBytes: MiB, signal: patience() }
    let read = 0
    const long = (rows: string): ByteSource => ({
      kind: 'bytes',
      open: async () =>
        Readable.from(
          (function* () {
            yield Buffer.from(`a;b\n${rows}`)
            for (read = 0; read < 60; read++) yield Buffer.alloc(MiB, 'x')
          })(),
        ),
    })
    const engine = createEngine({ tempDir: tmpdir() })
    const fits = (rows: string, limit: number) =>
      engine.preview(long(rows), { format: 'csv' }, { ...control, limit }).then(
        (shown) => shown.rows.length,
        (error: unknown) => {
          if (!(error instanceof SampleTooLongError)) throw error
          return -error.rowsThatFit
        },
      )
    expect(await fits('', 1)).to.be.closeTo(0, 0)
    expect(await fits('1;2\n3;4\n', 3), 'of three, two fit').to.equal(-2)
    expect(await fits('1;2\n3;4\n', 2), 'two are shown').to.equal(2)
    expect(read, 'most of it is never read').to.be.below(10)
  })

  it('leaves blank rows out', async () => {
    const shown = await preview('[{"a":1},{"a":" "},{"a":2}]', 2)
    expect(shown.rows).to.deep.equal([['1'], ['2']])
    expect(shown.isSample).to.equal(false)
  })

  it('has the columns, evidence included, that a load has', async () => {
    const shown = await preview('a;b;c\n1;x;01/02/2024\n2;y;13/02/2024\n', 1)
    const loaded = await loadInto(database, bytesOf('a;b;c\n1;x;01/02/2024\n2;y;13/02/2024\n'))
    expect(shown.columns).to.deep.equal(loaded.columns)
  })

  it('warns where other rows could be meant', async () => {
    const shown = await preview('{"users":[{"id":1}],"orders":[{"n":1},{"n":2}]}', 5)
    expect(shown.columns.map(({ name }) => name)).to.deep.equal(['n'])
    expect(shown.warnings.map(({ message }) => String(message)).join())
      .to.contain('/orders')
      .and.contain('/users')
  })

  it('warns of options that say nothing about the format', async () => {
    const options = { sheet: 'Feuil1', delimiter: ';' }
    const shown = await preview('a;b\n1;2\n', 5, options)
    expect(shown.warnings.map(({ code, message }) => [code, String(message)])).to.deep.equal([
      ['option-means-nothing', 'The option sheet has no meaning for csv, and was ignored.'],
    ])
    const loaded = await loadInto(database, bytesOf('a;b\n1;2\n'), { options })
    expect(loaded.report.warnings).to.deep.equal(shown.warnings)
  })
})
