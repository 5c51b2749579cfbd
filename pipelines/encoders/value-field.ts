import { CellKind } from '../core/batch.ts'
import { Outcome } from '../cells/outcome.ts'
import { POSTGRES_EPOCH_DAYS } from '../dates/civil.ts'
import { writeBoolean } from './boolean.ts'
import { type CopyBuffer, putInt32 } from './copy-buffer.ts'
import { putDecimal } from './numeric.ts'

const TWO_32 = 0x1_0000_0000
const EPOCH_MICROSECONDS = POSTGRES_EPOCH_DAYS * 86_400_000_000
const EPOCH = { high: Math.floor(EPOCH_MICROSECONDS / TWO_32), low: EPOCH_MICROSECONDS % TWO_32 }

/** Writes a typed cell as a field of the type that belongs to its kind. */
export function writeValue(kind: number, view: DataView, at: number, out: CopyBuffer): Outcome {
  switch (kind) {
    case CellKind.int64:
      putHalves(out, view.getInt32(at), view.getInt32(at + 4))
      break
    case CellKind.day:
      out.reserve(8)
      putInt32(out.view, out.length, 4)
      out.length = putInt32(out.view, out.length + 4, view.getInt32(at) - POSTGRES_EPOCH_DAYS)
      break
    case CellKind.instant: {
      const low = view.getUint32(at + 4) - EPOCH.low
      putHalves(out, view.getInt32(at) - EPOCH.high - (low < 0 ? 1 : 0), low)
      break
    }
    case CellKind.bit:
      return writeBoolean(out, view.getUint8(at))
    default:
      putDecimal(out, view.getFloat64(at + 1), view.getUint8(at))
  }
  return Outcome.stored
}

function putHalves(out: CopyBuffer, high: number, low: number): void {
  out.reserve(12)
  const at = putInt32(out.view, putInt32(out.view, out.length, 8), high)
  out.length = putInt32(out.view, at, low)
}
