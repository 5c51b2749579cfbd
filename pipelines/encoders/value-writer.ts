import type { Outcome } from '../cells/outcome.ts'
import type { CopyBuffer } from './copy-buffer.ts'

/** Writes the values of one type. */
export interface ValueWriter {
  /** `start` and `end` enclose the value without the white space around it. */
  write(bytes: Buffer, start: number, end: number, kind: number, out: CopyBuffer): Outcome
  /** As encoders do; for those that take long over a long value. */
  judgeAhead?(bytes: Buffer, start: number, end: number, kind: number): boolean
  forgetAhead?(): void
}

export function writeNull(out: CopyBuffer, rule: Outcome): Outcome {
  out.null()
  return rule
}
