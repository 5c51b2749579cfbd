import type { World } from '../world.ts'
import type { Assailant } from './assailant.ts'
import type { Scale } from './scale.ts'
import type { QuestionBesides } from './victim.ts'

/** Where one account meets all others. */
export interface Scene {
  readonly world: World
  readonly scale: Scale
  /** To make what an attack needs. */
  readonly owner: Assailant
  /** Cells of a megabyte, half of each in control characters. */
  readonly wide: () => Promise<string>
  /** Many short rows. */
  readonly deep: () => Promise<string>
}

/** A row of the list of what one account did to all others. */
export interface Assault {
  readonly name: string
  /** What it shut out of, besides the small questions. */
  readonly besides?: readonly QuestionBesides[]
  /** Makes what it needs; none of that is measured. */
  prepare(scene: Scene): Promise<Attack>
}

export interface Attack {
  /** Goes on until the signal aborts. */
  run(assailant: Assailant, signal: AbortSignal): Promise<void>
  /** What the account may be answered. */
  readonly answers: readonly number[]
  /** Which of these shows that it was under way: it goes on until then. */
  readonly awaited?: number
  /** Looks at what is left, and clears it away. */
  end?(): Promise<void>
}
