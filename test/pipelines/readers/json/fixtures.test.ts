import { readdir, readFile } from 'node:fs/promises'

import { expect } from 'chai'

import type { IngestOptions } from '../../../../pipelines/core/options.ts'
import { readJson } from './read-json.ts'

/** `NAME.json` or `NAME.ndjson`, beside it `NAME.table.json` and, where needed, `NAME.options.json`. */
const FOLDER = new URL('../../../fixtures/json/', import.meta.url)

interface ExpectedTable {
  readonly headers: readonly string[]
  readonly rows: readonly (readonly (string | null)[])[]
  readonly lines: readonly number[]
  readonly faults: Readonly<Record<string, string>>
}

describe('JSON reader: the fixtures', () => {
  it('make the table beside them, in whatever pieces they come', async () => {
    const names = await readdir(FOLDER)
    const tables = names.filter((name) => name.endsWith('.table.json'))
    expect(tables).to.have.length.above(9)
    for (const table of tables) {
      const name = table.replace('.table.json', '')
      const input = names.find((file) => file === `${name}.json` || file === `${name}.ndjson`)!
      const bytes = await readFile(new URL(input, FOLDER))
      const expected = (await readFixture(table)) as ExpectedTable
      const options = names.includes(`${name}.options.json`)
        ? ((await readFixture(`${name}.options.json`)) as IngestOptions)
        : {}
      for (const pieceBytes of [1, 7, 64 * 1024]) {
        const { headers, rows, lines, faults } = await readJson(bytes, { options, pieceBytes })
        expect({ headers, rows, lines, faults }, name).to.deep.equal(expected)
      }
    }
  })
})

async function readFixture(name: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(name, FOLDER), 'utf8'))
}
