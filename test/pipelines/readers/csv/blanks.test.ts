import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'

import { expect } from 'chai'

import { createEngine } from '../../../../pipelines/index.ts'
import { dividedByBlanks } from '../../../../pipelines/outline/divided-by-blanks.ts'

/** What is seen in a text that comes in pieces, by names and rows. */
async function see(lines: readonly string[], size = 7) {
  const bytes = Buffer.from(`${lines.join('\n')}\n`)
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  )
  const open = async () => Readable.from(pieces)
  const { signal } = new AbortController()
  const engine = createEngine({ tempDir: tmpdir() })
  const seen = await engine.preview(
    { kind: 'bytes', name: 'a.dat', open },
    {},
    { limit: 50, signal },
  )
  return {
    names: seen.columns.map(({ name }) => name),
    first: seen.rows[0]?.map((cell) => JSON.parse(cell ?? 'null') as unknown),
    rows: seen.rows.length,
    header: seen.table!.header.rows,
    titles: seen.table!.titles.map(({ text }) => text),
    codes: seen.warnings.map(({ code }) => code),
  }
}

const rowsOf = (count: number, row: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => row(at))

describe('a text that runs of blanks divide', () => {
  it('has a column for each of its fields, below the station it comes from', async () => {
    const rows = rowsOf(4, (at) => ` 2019  56  2 25  0 ${at}  0.0${at}7  79.3 -9999.9 0`)
    const seen = await see([' Albuquerque', '   35.03796 -106.62211 1617 -7  version 1', ...rows])
    expect(seen.first).to.deep.equal([2019, 56, 2, 25, 0, 0, 0.007, 79.3, -9999.9, 0])
    expect(seen).to.deep.include({ rows: 4, header: [], codes: ['header-looks-like-data'] })
    expect(seen.titles[0]).to.equal('Albuquerque')
  })

  it('has the names that a comment above it gives', async () => {
    const rows = rowsOf(5, (at) => `${at}.5   ${at}.25 1e-${at}`)
    const seen = await see(['# Model 3, run of May', '# time  depth density', ...rows])
    expect(seen.names).to.deep.equal(['time', 'depth', 'density'])
    expect(seen).to.deep.include({ rows: 5, header: [2], codes: [] })
  })

  it('has the names that are listed above it by their number, far above as well', async () => {
    const names = ['scan: Scan Count', 'depSM: Depth [m], lat = 48.4', 'flag: flag']
    const list = names.map((name, at) => `# name ${at} = ${name}`)
    const spans = names.map((_, at) => `# span ${at} =  0.1, 4.${at}`)
    const lead = rowsOf(300, (at) => `* <Sensor Serial='${at}' Kind="x" />`)
    const rows = rowsOf(30, (at) => `  ${at + 100}     ${at}.25  0.000e+00`)
    const seen = await see(['* Data File:', ...list, ...spans, ...lead, '*END*', ...rows])
    expect(seen.names).to.deep.equal(names)
    expect(seen.first).to.deep.equal([100, 0.25, 0])
    expect(seen).to.deep.include({ rows: 30, header: [2, 3, 4], codes: [] })
  })

  it('may hold words, quoted ones with blanks among them', async () => {
    const rows = rowsOf(6, (at) => `"Le Mans ${at}"   47.9  0.${at} 1${at}`)
    const seen = await see(['town lat  lon count', ...rows])
    expect(seen.names).to.deep.equal(['town', 'lat', 'lon', 'count'])
    expect(seen.first).to.deep.equal(['Le Mans 0', 47.9, 0, 10])
  })

  it('may name all columns but the first, as R does', async () => {
    const rows = rowsOf(5, (at) => `"${at + 1}" "A${at}" ${at}.5 ${at}.25 31500${at}`)
    const seen = await see(['"state" "Black" "White" "turnout"', ...rows])
    expect(seen.names).to.deep.equal(['Sans titre 1', 'state', 'Black', 'White', 'turnout'])
    expect(seen.first).to.deep.equal([1, 'A0', 0.5, 0.25, 315000])
  })

  it('may be of words, if as many names stand above it', async () => {
    const rows = rowsOf(3, (at) => `1234${at}     debug job${at} usr1  R   0:21     1 (Priority)`)
    const seen = await see(['JOBID PARTITION NAME USER ST  TIME  NODES REASON', ...rows])
    expect(seen.names).to.have.length(8)
    expect(seen).to.deep.include({ rows: 3, header: [1] })
  })

  const wholes: Readonly<Record<string, readonly string[]>> = {
    'telephone numbers': rowsOf(5, (at) => `06 12 34 56 7${at}`),
    'thousands set apart': rowsOf(5, (at) => `${at + 1} 234 567,50`),
    instants: rowsOf(5, (at) => `2024-01-0${at + 1} 10:00:00`),
    addresses: rowsOf(5, (at) => `${at} rue Foch 75001 Paris`),
    'coordinates below one name': ['position', ...rowsOf(5, (at) => `48.8${at} 2.35`)],
    sentences: rowsOf(5, (at) => `Le pont ${at} est fermé`),
  }
  for (const [what, lines] of Object.entries(wholes)) {
    it(`is not what holds ${what}`, () => {
      expect(dividedByBlanks(lines)).to.equal(null)
    })
  }

  it('is not what another sign divides', async () => {
    expect(dividedByBlanks(rowsOf(5, (at) => `${at}.5;  2.5 3.5`))).to.equal(null)
    expect(dividedByBlanks(rowsOf(5, (at) => `${at}.5, 2.5, 3.5`))).to.equal(null)
  })
})
