import type { TestClient, TestResponse } from '../../support/client.ts'
import type { SeededRandom } from '../../support/seeded-random.ts'
import type { World } from '../world.ts'

/** Something that is done or not done, and must never be done by half. */
export interface Deed {
  /** Does it; rejects when the connection breaks. Doing it again after it was done is refused or harmless. */
  run(client: TestClient): Promise<TestResponse>
  /** Null: the service is still making up its mind. Throws when what is there is part of it. */
  state(): Promise<'undone' | 'done' | null>
}

/** A kind of deed: makes what one starts from. */
export interface Undertaking {
  readonly name: string
  /** Statuses of success. */
  readonly succeeds: readonly number[]
  /** Statuses of an attempt at what was done already. */
  readonly repeated: readonly number[]
  prepare(world: World, random: SeededRandom): Promise<Deed>
}

/** How long after a fault the service may take to be of one mind. */
const MIND_MADE_UP_MS = 15_000

export { MIND_MADE_UP_MS }
