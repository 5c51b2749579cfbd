import { setImmediate as nextTurn } from 'node:timers/promises'

import type { HiddenRows } from '../../excel/sheet/hidden-rows.ts'
import type { RecordFlow } from '../records/record-flow.ts'
import { Biff, type BiffRecord, isCell } from '../records/record-types.ts'

const RECORDS_BETWEEN_TURNS = 16_384
const ROWS = 65_536
const ROW_BYTES = 16
const HIDDEN_ROW = 0x20

/**
 * Most programs write cells row by row, some in the order in which they were set. Null if they are
 * in the order of the rows; otherwise the positions of the cells' records, in that order.
 */
export async function findOrder(
  flow: RecordFlow,
  signal: AbortSignal,
  hidden: HiddenRows,
): Promise<Float64Array | null> {
  const from = flow.position
  let isOrdered = true
  let last = -1
  const isHidden = new Uint8Array(ROWS)
  await eachRecord(flow, signal, (record) => {
    if (isHiddenRow(record)) isHidden[rowOf(record)] = 1
    if (!isCell(record)) return
    const row = rowOf(record)
    isOrdered &&= row >= last
    last = row
    // Rows are described before their cells.
    if (isHidden[row] === 1) hidden.add(row + 1)
    isHidden[row] = 0
  })
  if (isOrdered) return null
  const inRow = new Uint32Array(ROWS + 1)
  flow.moveTo(from)
  await eachRecord(flow, signal, (record) => {
    if (!isCell(record)) return
    const row = rowOf(record)
    inRow[row + 1] = inRow[row + 1]! + 1
  })
  for (let row = 0; row < ROWS; row++) inRow[row + 1] = inRow[row + 1]! + inRow[row]!
  const order = new Float64Array(inRow[ROWS]!)
  await flow.hold(from, flow.position)
  flow.moveTo(from)
  await eachRecord(flow, signal, (record) => {
    if (!isCell(record)) return
    const row = rowOf(record)
    order[inRow[row]!] = record.at
    inRow[row] = inRow[row]! + 1
  })
  return order
}

function isHiddenRow({ type, bytes, start, end }: BiffRecord): boolean {
  if (type !== Biff.row || end - start < ROW_BYTES) return false
  return (bytes.readUInt16LE(start + 12) & HIDDEN_ROW) !== 0
}

function rowOf({ bytes, start }: BiffRecord): number {
  return bytes.readUInt16LE(start)
}

/** The records of the sheet itself, without those of charts in it. */
async function eachRecord(
  flow: RecordFlow,
  signal: AbortSignal,
  look: (record: BiffRecord) => void,
): Promise<void> {
  let depth = 0
  for (let read = 1; ; read++) {
    const record = flow.take() ?? (await flow.next())
    if (record === null) return
    if (record.type === Biff.begin) depth += 1
    else if (record.type === Biff.end && depth-- === 0) return
    else if (depth === 0) look(record)
    if (read % RECORDS_BETWEEN_TURNS === 0) {
      await nextTurn()
      signal.throwIfAborted()
    }
  }
}
