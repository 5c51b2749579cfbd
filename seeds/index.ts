import type { Knex } from 'knex'

import { seedPeople } from './people.ts'

/** What a seed may use; each adds what it is missing and leaves the rest alone. */
export interface SeedContext {
  readonly knex: Knex
  readonly hashPassword: (password: string) => Promise<string>
}

export type Seed = (context: SeedContext) => Promise<void>

/** The demo world, in the order in which its parts build on each other. */
export const seeds: readonly Seed[] = [({ knex, hashPassword }) => seedPeople(knex, hashPassword)]
