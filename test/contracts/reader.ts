import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'

import { expect } from 'chai'

import { makeFolder } from '../support/folder.ts'
import { until } from '../support/patience.ts'
import {
  type Batch,
  cellText,
  DEFAULT_LIMITS,
  type ByteSource,
  type EngineLimits,
  type Format,
  type IngestOptions,
  NULL_CELL,
} from '../../pipelines/index.ts'
import { textBudget } from '../../pipelines/core/expansion-budget.ts'
import { mayBeOf } from '../../pipelines/engine/choose-format.ts'
import { OpenReading } from '../../pipelines/engine/open-reading.ts'
import { openInput } from '../../pipelines/input/open-input.ts'

/** What the reader of every format promises, whatever its syntax. */
interface ReaderContract {
  readonly format: Format
  /** Small inputs with rows; between them they should hold every turn of the syntax. */
  readonly inputs: readonly ReaderInput[]
  /** A valid input of at least half a megabyte, so that an end in its middle is noticed. */
  readonly large: () => Buffer
}

export interface ReaderInput {
  readonly name: string
  readonly bytes: Buffer
  readonly options?: IngestOptions
}

interface ReadTable {
  readonly headers: readonly (string | null)[]
  readonly rows: readonly (readonly (string | null)[])[]
  readonly lines: readonly (number | null)[]
  readonly raw: readonly string[]
  readonly faults: readonly { readonly row: number; readonly message: string }[]
}

interface ReadSettings {
  readonly options?: IngestOptions
  readonly limits?: Partial<EngineLimits>
  readonly signal?: AbortSignal
  readonly tempDir?: string
  /** Whether every batch goes back to the reading once it was looked at. */
  readonly handsBack?: boolean
}

export function inChunks(bytes: Buffer, size: number): Readable {
  function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  return Readable.from(chunks(), { objectMode: true })
}

export function openReading(
  format: Format,
  stream: () => Readable,
  settings: ReadSettings = {},
): Promise<OpenReading> {
  return openSource(format, { kind: 'bytes', open: async () => stream() }, settings)
}

/** As the engine opens it, once it has chosen the format. */
export async function openSource(
  format: Format,
  source: ByteSource,
  { options = {}, limits = {}, signal, tempDir = tmpdir() }: ReadSettings = {},
): Promise<OpenReading> {
  const context = {
    options,
    limits: { ...DEFAULT_LIMITS, ...limits },
    tempDir,
    signal: signal ?? new AbortController().signal,
  }
  const input = await openInput(source, context, (head) => mayBeOf([format], head))
  try {
    const expansion = textBudget(context.limits, () => input.sentBytes)
    const reading = await format.open(input, { ...context, limits: input.limits, expansion })
    return new OpenReading(reading, format, input, [])
  } catch (error) {
    await input.close()
    throw error
  }
}

/** The whole input as text, by way of the ranges. */
export async function readTable(
  format: Format,
  stream: () => Readable,
  settings: ReadSettings = {},
): Promise<ReadTable> {
  const open = await openReading(format, stream, settings)
  const { reading } = open
  try {
    const rows: (string | null)[][] = []
    const lines: (number | null)[] = []
    const raw: string[] = []
    const faults: { row: number; message: string }[] = []
    for (let batch = await open.next(); batch !== null; batch = await open.next()) {
      expect(batch.firstRow).to.equal(rows.length + 1)
      expect(batch.rows).to.be.greaterThan(0)
      for (const { row, message } of batch.faults) {
        faults.push({ row: rows.length + row, message: String(message) })
      }
      for (let row = 0; row < batch.rows; row++) {
        rows.push(cellsOf(batch, row))
        lines.push(batch.lines?.[row] ?? null)
        raw.push(reading.rawRow(batch, row))
      }
      if (settings.handsBack === true) reading.recycle?.(batch)
    }
    const { headers } = reading
    // Batches from before a late column are narrower.
    const wide = rows.map((cells) => headers.map((_, column) => cells[column] ?? null))
    return { headers, rows: wide, lines, raw, faults }
  } finally {
    await open.close()
  }
}

function cellsOf(batch: Batch, row: number): (string | null)[] {
  return Array.from({ length: batch.width }, (_, column) => {
    const cell = row * batch.width + column
    const from = batch.start[cell]!
    const to = batch.end[cell]!
    const isPlace = from >= 0 && (to === NULL_CELL || (to >= from && to <= batch.bytes.length))
    if (!isPlace) expect.fail(`cell ${row}/${column} lies from ${from} to ${to}`)
    return cellText(batch, row, column)
  })
}

export function describeReader(name: string, contract: ReaderContract): void {
  describe(`${name} keeps the promises of a reader`, () => {
    let tempDir: string
    let made: Buffer | undefined
    /** Some formats take seconds to write. */
    const large = () => (made ??= contract.large())
    beforeEach(async () => {
      tempDir = await makeFolder('reader')
    })
    afterEach(async () => {
      const left = await readdir(tempDir)
      await rm(tempDir, { recursive: true, force: true })
      expect(left, 'files left behind').to.deep.equal([])
    })

    const { format } = contract
    for (const { name: input, bytes, options = {} } of contract.inputs) {
      describe(input, () => {
        const whole = bytes.length
        const read = (size = whole) =>
          readTable(format, () => inChunks(bytes, size), { options, tempDir })

        for (const size of [1, 5]) {
          it(`reads the same ${size === 1 ? 'one byte' : 'five bytes'} at a time`, async () => {
            expect(await read(size)).to.deep.equal(await read())
          })
        }

        it('reads the same where every batch is handed back', async () => {
          const stream = () => inChunks(bytes, 64)
          const recycled = await readTable(format, stream, { options, tempDir, handsBack: true })
          expect(recycled).to.deep.equal(await read())
        })

        it('reads the same when it is opened again', async () => {
          expect(await read()).to.deep.equal(await read())
        })

        it('can be closed before its end, and twice', async () => {
          const stream = inChunks(bytes, 7)
          const reading = await openReading(format, () => stream, { options, tempDir })
          await reading.close()
          await reading.close()
          expect(stream.destroyed).to.equal(true)
        })
      })
    }

    it('gives back the stream of an input it is done with', async () => {
      const stream = inChunks(large(), 64 * 1024)
      await readTable(format, () => stream, { tempDir })
      expect(stream.destroyed).to.equal(true)
    })

    it('knows how many bytes of the source were read', async () => {
      const bytes = large()
      const reading = await openReading(format, () => inChunks(bytes, 64 * 1024), { tempDir })
      while ((await reading.next()) !== null);
      expect(reading.bytesRead).to.equal(bytes.length)
      await reading.close()
    })

    it('keeps a batch as it was while later ones are read', async () => {
      const bytes = large()
      const reading = await openReading(format, () => inChunks(bytes, 64 * 1024), { tempDir })
      const first = (await reading.next())!
      const before = cellsOf(first, first.rows - 1)
      while ((await reading.next()) !== null);
      expect(cellsOf(first, first.rows - 1)).to.deep.equal(before)
      await reading.close()
    })

    it('hands on the error of a source that breaks in its middle', async () => {
      const bytes = large()
      const stream = Readable.from(
        (function* () {
          yield bytes.subarray(0, bytes.length >> 1)
          throw new Error('the line went dead')
        })(),
      )
      const error = await failure(readTable(format, () => stream, { tempDir }))
      expect(error.message).to.equal('the line went dead')
      expect(stream.destroyed).to.equal(true)
    })

    it('stops when it is told to, though the source says nothing more', async () => {
      const bytes = large()
      const stalled = new Readable({ read() {} })
      stalled.push(bytes.subarray(0, bytes.length >> 1))
      const stop = new AbortController()
      const reading = readTable(format, () => stalled, { tempDir, signal: stop.signal })
      const failed = failure(reading)
      await until('all that there is has been read', () => stalled.readableLength === 0)
      stop.abort()
      const error = await failed
      expect(error.name).to.equal('AbortError')
      if (!stalled.closed) await once(stalled, 'close')
    })

    it('does not begin when it was told to stop before', async () => {
      const signal = AbortSignal.abort()
      const bytes = large()
      const error = await failure(
        readTable(format, () => inChunks(bytes, 64 * 1024), { tempDir, signal }),
      )
      expect(error.name).to.equal('AbortError')
    })
  })
}

export async function failure(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise
  } catch (error) {
    return error as Error
  }
  throw new Error('it did not fail')
}
