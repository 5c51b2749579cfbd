import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'

import { expect } from 'chai'

import type { ByteSource, IngestOptions } from '../../../pipelines/index.ts'
import { useDatabase } from '../../support/database.ts'
import { rawWorkbook, textRow } from '../../support/workbooks/raw-workbook.ts'
import { zip } from '../../support/workbooks/zip-writer.ts'
import { loadInto } from './loading.ts'

const PIECES = 50

/** Gives its bytes piece by piece, and looks around before each. */
function watched(bytes: Buffer, look: () => void): ByteSource {
  const size = Math.ceil(bytes.length / PIECES)
  return {
    kind: 'bytes',
    open: async () =>
      Readable.from(
        (function* () {
          for (let at = 0; at < bytes.length; at += size) {
            look()
            yield bytes.subarray(at, at + size)
          }
        })(),
        { highWaterMark: 1 },
      ),
  }
}

/** Outside of Linux a file that is opened a second time needs its name until then. */
const MOST_NAMES = process.platform === 'linux' ? 0 : 1

describe('scratch files', () => {
  const database = useDatabase()
  const cells = Array.from({ length: 2000 }, (_, row) => textRow(`texte ${row % 977}`, `${row}`))
  const workbook = rawWorkbook({ sheets: [{ rows: textRow('texte', 'n') + cells.join('') }] })
  const rows = Array.from({ length: 100_000 }, (_, row) => `${row};${row % 2 ? 'x' : 1}\n`)
  const invalid = Buffer.from(`id;n\n${rows.join('')}`)
  let tempDir: string

  beforeEach(() => {
    tempDir = mkdtempSync(join(tmpdir(), 'scratch-'))
  })
  afterEach(async () => {
    rmSync(tempDir, { recursive: true, force: true })
    await database.pool.query('drop table if exists loaded, loaded_rejects')
  })

  const loads: Readonly<Record<string, readonly [bytes: Buffer, options?: IngestOptions]>> = {
    'a workbook': [workbook],
    'a workbook in gzip': [gzipSync(workbook)],
    'a zip around a CSV': [zip([{ name: 'a.csv', content: invalid }])],
    'very many rejects': [invalid, { onInvalid: 'skip', columns: [{ name: 'n', type: 'number' }] }],
  }
  for (const [what, [bytes, options = {}]] of Object.entries(loads)) {
    it(`have no name that a killed process could leave behind: ${what}`, async () => {
      const seen: string[][] = []
      const look = () => void seen.push(readdirSync(tempDir))
      await loadInto(database, watched(bytes, look), {
        options,
        engine: { tempDir },
        control: { onProgress: look },
      })
      expect(seen.length).to.be.greaterThan(PIECES)
      expect(Math.max(...seen.map(({ length }) => length))).to.be.at.most(MOST_NAMES)
      expect(readdirSync(tempDir)).to.deep.equal([])
    })
  }
})
