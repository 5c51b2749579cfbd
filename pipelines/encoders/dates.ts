import { POSTGRES_EPOCH_DAYS } from '../dates/civil.ts'
import type { DateParser } from '../dates/parse-date.ts'
import { putInt32, putInteger, type CopyBuffer, putInt64 } from './copy-buffer.ts'
import { Outcome } from '../cells/outcome.ts'
import { writeNull, type ValueWriter } from './value-writer.ts'

const POSTGRES_EPOCH_SECONDS = POSTGRES_EPOCH_DAYS * 86_400
const MICROSECONDS = 1_000_000
/** Up to this many seconds from the epoch (until 2285), a double is exact to the microsecond. */
const EXACT_SECONDS = 9_000_000_000

abstract class DateValueWriter implements ValueWriter {
  protected readonly parser: DateParser

  constructor(parser: DateParser) {
    this.parser = parser
  }

  write(bytes: Buffer, start: number, end: number, kind: number, out: CopyBuffer): Outcome {
    const outcome = this.parser.parse(bytes, start, end, kind)
    if (outcome >= Outcome.blank) return writeNull(out, outcome)
    return outcome === Outcome.invalid ? outcome : this.writeDate(outcome, out)
  }

  protected abstract writeDate(outcome: Outcome, out: CopyBuffer): Outcome
}

/** Writes a day without a time; the first value with a time requires `timestamptz`. */
export class DateWriter extends DateValueWriter {
  protected override writeDate(outcome: Outcome, out: CopyBuffer): Outcome {
    if (this.parser.hasTime) return Outcome.misfit
    out.reserve(8)
    const at = putInt32(out.view, out.length, 4)
    out.length = putInt32(out.view, at, this.parser.dayNumber - POSTGRES_EPOCH_DAYS)
    return outcome
  }
}

/** Writes an instant; a day without a time becomes midnight in the zone of the column's times. */
export class TimestamptzWriter extends DateValueWriter {
  protected override writeDate(outcome: Outcome, out: CopyBuffer): Outcome {
    const { utcSeconds, microsecond } = this.parser
    out.reserve(12)
    const at = putInt32(out.view, out.length, 8)
    const seconds = utcSeconds - POSTGRES_EPOCH_SECONDS
    out.length =
      seconds < EXACT_SECONDS && seconds > -EXACT_SECONDS
        ? putInteger(out.view, at, seconds * MICROSECONDS + microsecond)
        : putInt64(out.view, at, seconds, MICROSECONDS, microsecond)
    return outcome
  }
}
