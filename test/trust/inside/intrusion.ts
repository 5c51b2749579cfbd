import type { Trials } from '../section.ts'
import type { World } from '../world.ts'
import type { ServiceRole } from './database-of-role.ts'

/** What an account without the right to it did to the service once. It has to fail, and does so by not throwing. */
export interface Intrusion {
  readonly name: string
  /** Throws when the service gave in; it says what was seen, if that is worth a word. */
  attempt(scene: Scene): Promise<string | void>
}

/** What every intrusion finds; one that wants another service opens a world of its own. */
export interface Scene {
  readonly trials: Trials
  /** The service connects as a role of its own, to a database that belongs to it. */
  readonly world: World
  readonly service: ServiceRole
}
