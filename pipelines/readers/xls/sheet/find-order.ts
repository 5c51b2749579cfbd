import { setImmediate as nextTurn } from 'node:timers/promises'

import type { RecordFlow } from '../records/record-flow.ts'
import { Biff, isCell } from '../records/record-types.ts'

const RECORDS_BETWEEN_TURNS = 16_384
const ROWS = 65_536

/**
 * Most programs write cells row by row; some as they were set. Null where the order is that of the
 * rows; else where the record of each cell stands, in that order.
 */
export async function findOrder(
  flow: RecordFlow,
  signal: AbortSignal,
): Promise<Float64Array | null> {
  const from = flow.position
  let isOrdered = true
  let last = -1
  await eachCell(flow, signal, (row) => {
    isOrdered &&= row >= last
    last = row
  })
  if (isOrdered) return null
  const inRow = new Uint32Array(ROWS + 1)
  flow.moveTo(from)
  await eachCell(flow, signal, (row) => {
    inRow[row + 1] = inRow[row + 1]! + 1
  })
  for (let row = 0; row < ROWS; row++) inRow[row + 1] = inRow[row + 1]! + inRow[row]!
  const order = new Float64Array(inRow[ROWS]!)
  await flow.hold(from, flow.position)
  flow.moveTo(from)
  await eachCell(flow, signal, (row, at) => {
    order[inRow[row]!] = at
    inRow[row] = inRow[row]! + 1
  })
  return order
}

async function eachCell(
  flow: RecordFlow,
  signal: AbortSignal,
  look: (row: number, at: number) => void,
): Promise<void> {
  let depth = 0
  for (let read = 1; ; read++) {
    const record = flow.take() ?? (await flow.next())
    if (record === null) return
    if (record.type === Biff.begin) depth += 1
    else if (record.type === Biff.end && depth-- === 0) return
    else if (depth === 0 && isCell(record)) look(record.bytes.readUInt16LE(record.start), record.at)
    if (read % RECORDS_BETWEEN_TURNS === 0) {
      await nextTurn()
      signal.throwIfAborted()
    }
  }
}
