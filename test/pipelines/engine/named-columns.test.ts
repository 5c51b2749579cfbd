import { tmpdir } from 'node:os'

import { expect } from 'chai'
import * as fc from 'fast-check'

import {
  createEngine,
  EngineError,
  type EngineProblem,
  type IngestOptions,
  type DataSource,
} from '../../../pipelines/index.ts'
import type { LoadMode } from '../../../src/resources/load.ts'
import { loadTable } from '../../../src/cli/tables/load-table.ts'
import { useDatabase } from '../../support/database.ts'
import { bytesOf, targetIn } from './loading.ts'

type Row = Readonly<Record<string, string>>

/** What becomes of a request: refused, or taken with these warnings. */
type Outcome = { readonly refused: EngineProblem } | { readonly warnings: readonly string[] }

const KEYS = ['a', 'b', 'c', 'd'] as const
const UNSEEN = /^No column “(.*)” was seen so far/

/** The same rows, from a file and from a form that asks for the first key alone. */
const SOURCES: Readonly<Record<string, (pages: readonly (readonly Row[])[]) => DataSource>> = {
  JSON: (pages) =>
    bytesOf(
      `${pages
        .flat()
        .map((row) => JSON.stringify(row))
        .join('\n')}\n`,
    ),
  'a form': (pages) => ({
    kind: 'records',
    columns: [{ key: 'a', label: 'a' }],
    async *pages() {
      for (const page of pages) yield [Buffer.from(JSON.stringify(page))]
    },
  }),
}

const messagesOf = (warnings: readonly { readonly message: unknown }[]) =>
  warnings.map(({ message }) => String(message))

describe('a column that a request names and that comes late, or never', () => {
  const database = useDatabase()
  const { signal } = new AbortController()

  async function outcomeOf(work: Promise<readonly string[]>): Promise<Outcome> {
    try {
      return { warnings: await work }
    } catch (error) {
      if (error instanceof EngineError) return { refused: error.problem }
      throw error
    }
  }

  async function tryBoth(
    source: () => DataSource,
    options: IngestOptions,
    sampleRows: number,
    mode: LoadMode = { kind: 'replace' },
  ): Promise<{ preview: Outcome; load: Outcome }> {
    const engine = createEngine({ tempDir: tmpdir(), limits: { sampleRows } })
    const previewing = engine.preview(source(), options, { limit: 3, signal })
    const preview = await outcomeOf(previewing.then(({ warnings }) => messagesOf(warnings)))
    await database.pool.query('drop table if exists loaded, loaded_rejects')
    const target = await targetIn(database, { mode })
    const loading = loadTable(engine, source(), options, target, { signal })
    const load = await outcomeOf(loading.then(({ report }) => messagesOf(report.warnings)))
    return { preview, load }
  }

  const unseenIn = (outcome: Outcome): readonly string[] =>
    'warnings' in outcome
      ? outcome.warnings.flatMap((text) => UNSEEN.exec(text)?.slice(1) ?? [])
      : []

  const row = fc
    .subarray([...KEYS])
    .map((keys): Row => Object.fromEntries(keys.map((key) => [key, `${key}!`])))
  const pages = fc
    .array(fc.array(row, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 })
    .filter((all) => all.flat().some((one) => Object.keys(one).length > 0))
  const named = fc.subarray([...KEYS, 'never'], { maxLength: 2 })
  const sampleRows = fc.integer({ min: 1, max: 12 })

  for (const [name, sourceOf] of Object.entries(SOURCES)) {
    it(`is taken or refused alike by preview and load of ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(pages, named, sampleRows, async (all, names, most) => {
          const options = { columns: names.map((column) => ({ name: column, type: 'text' })) }
          const { preview, load } = await tryBoth(
            () => sourceOf(all),
            options as IngestOptions,
            most,
          )
          const come = new Set(all.flat().flatMap((one) => Object.keys(one)))
          if (name === 'a form') come.add('a')
          const absent = names.findIndex((column) => !come.has(column))
          // A load knows in the end.
          if (absent === -1) expect(load).to.have.property('warnings')
          else {
            const problem = { kind: 'options', pointer: `/columns/${absent}/name` }
            expect(load).to.deep.equal({ refused: problem })
          }
          // A preview refuses what a load refuses, or says what it did not see.
          if ('refused' in preview) expect(preview).to.deep.equal(load)
          const unseen = unseenIn(preview)
          for (const column of names) {
            if (!come.has(column) && 'warnings' in preview) expect(unseen).to.include(column)
          }
          for (const column of unseen) expect(names).to.include(column)
        }),
        { numRuns: 40 },
      )
    })

    it(`is the key of a load of ${name}, or refused at its end`, async () => {
      await fc.assert(
        fc.asyncProperty(
          pages,
          fc.constantFrom(...KEYS, 'never'),
          sampleRows,
          async (all, key, most) => {
            const mode = { kind: 'upsert', key } as const
            const { load } = await tryBoth(() => sourceOf(all), { onInvalid: 'skip' }, most, mode)
            const come = all.flat().flatMap((one) => Object.keys(one))
            if (come.includes(key) || (name === 'a form' && key === 'a')) {
              expect(load).to.have.property('warnings')
            } else {
              const problem = { kind: 'options', pointer: '/mode/key' }
              expect(load).to.deep.equal({ refused: problem })
            }
          },
        ),
        { numRuns: 20 },
      )
    })
  }

  it('is told of by a preview whose sample ends before it', async () => {
    const late: IngestOptions = { columns: [{ name: 'd', type: 'date' }] }
    const all = [[{ a: '1' }], [{ a: '2' }], [{ a: '3', d: '2024-05-06' }]]
    for (const sourceOf of Object.values(SOURCES)) {
      const { preview, load } = await tryBoth(() => sourceOf(all), late, 1)
      expect(preview).to.deep.equal({
        warnings: ['No column “d” was seen so far: a load is refused if it never comes.'],
      })
      expect(load).to.deep.equal({ warnings: [] })
    }
  })

  it('is refused before anything is loaded where headers do not grow', async () => {
    const csv = () => bytesOf(`a;b\n${'1;2\n'.repeat(50)}`)
    const { preview, load } = await tryBoth(csv, { columns: [{ name: 'x', type: 'text' }] }, 5)
    expect(load).to.deep.equal({ refused: { kind: 'options', pointer: '/columns/0/name' } })
    expect(preview).to.deep.equal(load)
  })
})
