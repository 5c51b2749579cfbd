import { EngineError } from '../../core/errors.ts'
import { ExpansionBudget } from '../../core/expansion-budget.ts'
import type { EngineLimits } from '../../core/limits.ts'
import { MiB } from '../../core/mebibyte.ts'
import { packingMessages } from './packing-messages.ts'

/** For what is unpacked from `packed` bytes. */
export function unpackingBudget(
  { expandedBytes, expansionRatio }: EngineLimits,
  packed: () => number,
): ExpansionBudget {
  return new ExpansionBudget({
    sent: packed,
    freeBytes: MiB,
    ratio: expansionRatio,
    mostBytes: expandedBytes,
    refuse(limit) {
      const message =
        limit === 'expandedBytes'
          ? packingMessages.expandsBytes({ most: expandedBytes })
          : packingMessages.expandsTimes({ times: expansionRatio })
      return new EngineError(message, { kind: 'limit', limit })
    },
  })
}
