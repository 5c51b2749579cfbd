import type { Reading } from '../core/reader.ts'
import type { UnpackedInput } from '../input/unpacking/unpack.ts'
import type { Stage } from './engine-parts.ts'

/** The reading as seen by who handed the packed input in: its bytes, its report, its end. */
export function unpackedReading(reading: Reading, input: UnpackedInput): Reading {
  const { packing, member, packedBytes } = input
  let ended = false
  return wrapped(reading, {
    async next() {
      const batch = await reading.next()
      ended = batch === null
      return batch
    },
    bytesRead() {
      if (packedBytes === null) return reading.bytesRead
      return ended ? packedBytes : Math.min(reading.bytesRead, packedBytes)
    },
    describe() {
      const { dialect, ...report } = reading.describe()
      if (packing.length === 0) return { ...report, dialect }
      const found = { compression: packing.join(', '), ...(member !== null && { member }) }
      return { ...report, dialect: { ...dialect, ...found } }
    },
    async close() {
      await reading.close()
      await input.close()
    },
  })
}

/** Shows every batch to the stages before anybody else sees it. */
export function stagedReading(reading: Reading, stages: readonly Stage[]): Reading {
  return wrapped(reading, {
    async next() {
      const batch = await reading.next()
      if (batch !== null) for (const stage of stages) stage.apply(batch, reading.headers)
      return batch
    },
  })
}

interface Changes extends Partial<Pick<Reading, 'next' | 'describe' | 'close'>> {
  bytesRead?(): number
}

/** A reading that differs in what is named, and passes on the rest. */
function wrapped(reading: Reading, changes: Changes): Reading {
  return {
    reader: reading.reader,
    get headers() {
      return reading.headers
    },
    get misjudged() {
      return reading.misjudged ?? null
    },
    get bytesRead() {
      return changes.bytesRead?.() ?? reading.bytesRead
    },
    next: changes.next ?? (() => reading.next()),
    recycle: (batch) => reading.recycle?.(batch),
    rawRow: (batch, row) => reading.rawRow(batch, row),
    place: (batch, row, column) => reading.place(batch, row, column),
    describe: changes.describe ?? (() => reading.describe()),
    close: changes.close ?? (() => reading.close()),
  }
}
