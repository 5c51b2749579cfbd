import { readdir, rm } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'

import { expect } from 'chai'

import { makeFolder } from '../../support/folder.ts'
import { useDatabase } from '../../support/database.ts'
import { rawWorkbook, textRow } from '../../support/workbooks/raw-workbook.ts'
import { zip } from '../../support/workbooks/zip-writer.ts'
import { bytesOf, loadInto, refusalOf, rowsOf } from './loading.ts'

describe('a load of something packed', () => {
  const database = useDatabase()
  let tempDir: string

  beforeEach(async () => {
    tempDir = await makeFolder('packed')
  })
  afterEach(async () => {
    const left = await readdir(tempDir)
    await rm(tempDir, { recursive: true, force: true })
    expect(left).to.deep.equal([])
    await database.pool.query('drop table if exists loaded, loaded_rejects')
  })

  const lines = Array.from({ length: 20_000 }, (_, row) => `${row};texte ${row % 977}\n`).join('')
  const lateLatin = Buffer.from(`id;texte\n${lines}20000;caf\xe9\n`, 'latin1')

  it('begins again from the same zip when its text turns out to be windows-1252', async () => {
    const packed = zip([{ name: 'a.csv', content: lateLatin }])
    const source = bytesOf(packed)
    const { counts, report } = await loadInto(database, source, { engine: { tempDir } })
    expect(source.opened).to.equal(2)
    expect(report).to.include({ restarts: 1, bytesRead: packed.length })
    expect(report.input.dialect).to.deep.include({
      compression: 'zip',
      member: 'a.csv',
      encoding: { value: 'windows-1252', evidence: 'not UTF-8 further on' },
    })
    expect(counts.loaded).to.equal(20_001)
    expect(await rowsOf(database, 'select texte from loaded where id = 20000')).to.deep.equal([
      { texte: 'café' },
    ])
  })

  it('reads a workbook out of gzip, and again when a type broke', async () => {
    const cells = Array.from({ length: 300 }, (_, row) => `<row><c><v>${row}</v></c></row>`)
    const rows = textRow('n') + cells.join('') + textRow('fin')
    const packed = gzipSync(rawWorkbook({ sheets: [{ rows }] }))
    const { report, columns } = await loadInto(database, bytesOf(packed), {
      engine: { tempDir, limits: { sampleRows: 100, sampleBytes: 1000 } },
    })
    expect(report).to.include({ restarts: 1, bytesRead: packed.length })
    expect(report.widenings[0]).to.deep.include({ from: 'bigint', to: 'text' })
    expect(report.widenings[0]!.cause).to.include({ place: 'Feuil1!A302', value: 'fin' })
    expect(columns[0]).to.include({ type: 'text' })
  })

  it('leaves nothing behind when the zip turns out to be damaged at its end', async () => {
    const packed = zip([{ name: 'a.csv', content: lateLatin, crc: 1 }])
    const { problem } = await refusalOf(
      loadInto(database, bytesOf(packed), { engine: { tempDir } }),
    )
    expect(problem.kind).to.equal('structure')
    expect(await rowsOf(database, "select to_regclass('loaded') as found")).to.deep.equal([
      { found: null },
    ])
  })
})
