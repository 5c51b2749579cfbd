import { tmpdir } from 'node:os'

import { expect } from 'chai'

import { innocent, randomFrom } from '../../../benchmarks/outline/innocents.ts'
import { faultIn } from '../../../benchmarks/outline/judge-innocents.ts'
import { createEngine } from '../../../pipelines/index.ts'

const TABLES = 600

describe('tables that are right as they stand', () => {
  it('keep their header, their columns and all their rows', async () => {
    const engine = createEngine({ tempDir: tmpdir() })
    const random = randomFrom(38)
    const tables = Array.from({ length: TABLES }, () => innocent(random))
    const wrong: string[] = []
    for (const table of tables.filter(({ names }) => names !== null)) {
      const fault = await faultIn(engine, table)
      if (fault !== null) wrong.push(`${fault} (${table.kind})\n${table.text}`)
    }
    expect(wrong).to.deep.equal([])
  })
})
