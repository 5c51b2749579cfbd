import { remoteFailure } from '../errors.ts'
import { connectorMessages } from '../connector-messages.ts'

/**
 * Holds what was fetched against what the remote application says it has.
 *
 * Every page carries a `total`, and records may arrive while pages are read. A cursor that walks
 * a snapshot then yields the first total, one that sees arrivals yields up to the last: so the
 * count must lie between the smallest and the largest total that any page gave. Fewer would be a
 * truncated load, more would be records twice. Records deleted meanwhile lower the total and stay
 * within the same bounds, but for rare mixtures of both, which fail: a load that is refused can be
 * run again, one that lost rows in silence cannot.
 */
interface CountCheck {
  page(rows: number, total: number): void
  /** To be called after the last page. */
  end(): void
}

export function createCountCheck(): CountCheck {
  let fetched = 0
  let smallest = Infinity
  let largest = 0
  return {
    page(rows, total) {
      fetched += rows
      smallest = Math.min(smallest, total)
      largest = Math.max(largest, total)
      // Known at once, so that pages without an end do not run on.
      if (fetched > largest) {
        throw remoteFailure(
          'inconsistent',
          connectorMessages.counts({ sent: fetched, told: largest }),
        )
      }
    },
    end() {
      if (fetched < smallest) {
        throw remoteFailure(
          'inconsistent',
          connectorMessages.counts({ sent: fetched, told: smallest }),
        )
      }
    },
  }
}
