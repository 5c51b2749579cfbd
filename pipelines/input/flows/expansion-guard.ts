import { EngineError } from '../../core/errors.ts'
import { packingMessages } from './packing-messages.ts'
import type { EngineLimits } from '../../core/limits.ts'

const FREE_BYTES = 1024 * 1024

interface ExpansionGuard {
  compressed(bytes: number): void
  /** Throws once more came out than the compressed bytes can plausibly contain. */
  expanded(bytes: number): void
}

export function expansionGuard(limits: EngineLimits): ExpansionGuard {
  let taken = 0
  let given = 0
  return {
    compressed(bytes) {
      taken += bytes
    },
    expanded(bytes) {
      given += bytes
      if (given > limits.expandedBytes) {
        throw new EngineError(packingMessages.expandsBytes({ most: limits.expandedBytes }), {
          kind: 'limit',
          limit: 'expandedBytes',
        })
      }
      if (given > FREE_BYTES && given > taken * limits.expansionRatio) {
        throw new EngineError(packingMessages.expandsTimes({ times: limits.expansionRatio }), {
          kind: 'limit',
          limit: 'expansionRatio',
        })
      }
    },
  }
}
