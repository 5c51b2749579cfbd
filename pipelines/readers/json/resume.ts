import { setImmediate as nextTurn } from 'node:timers/promises'

import type { EngineLimits } from '../../core/limits.ts'
import { MoreInputNeeded, TurnOver, type Lexer } from './lexer.ts'
import { jsonSyntaxMessages } from './syntax-messages.ts'

/** How much is read, and processed without a pause, at a time. */
export const STEP_BYTES = 256 * 1024

/** How much is walked through in a turn, event by event. */
const WALKED_BYTES = 128 * 1024

/** The most that has to be in memory in one piece, be it a row or a token next to the rows. */
export function largestPiece(limits: EngineLimits): number {
  return 2 * limits.cellBytes + STEP_BYTES
}

/** Tries a step again with more input until it has everything that it needs. */
export async function resume<T>(lexer: Lexer, limits: EngineLimits, step: () => T): Promise<T> {
  const { window } = lexer
  const most = largestPiece(limits)
  let wanted = STEP_BYTES
  for (;;) {
    await window.fill(wanted)
    lexer.beginTurn(window.pos, WALKED_BYTES)
    try {
      return step()
    } catch (error) {
      if (error instanceof TurnOver) {
        await nextTurn()
        continue
      }
      if (!(error instanceof MoreInputNeeded)) throw error
    }
    const needed = window.heldBytes + window.available
    if (needed > most) {
      lexer.exceeded('cellBytes', jsonSyntaxMessages.farRows({ bytes: needed }))
    }
    const more = Math.max(STEP_BYTES, lexer.readAgainFrom(window.pos))
    wanted = window.available + Math.min(more, most + 1 - needed)
  }
}
