import { remoteFailure } from '../errors.ts'
import { connectorMessages } from '../connector-messages.ts'

/**
 * Compares the number of fetched records with what the remote application says it has.
 *
 * Every page has a `total`, and records may arrive while pages are read. If the cursor walks a
 * snapshot, the number of records is the first total; if it sees new arrivals, at most the last. So
 * it must lie between the smallest and the largest total of any page. Fewer records mean a
 * truncated load, more mean duplicates. Records deleted in the meantime lower the total and stay
 * within the same bounds, except for rare mixtures of both, which fail: a refused load can be run
 * again, but rows lost silently are never noticed.
 */
interface CountCheck {
  page(rows: number, total: number): void
  /** Must be called after the last page. */
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
      // Checked at once, so that endless pages do not go on.
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
