import type { Knex } from 'knex'

import type { SecretBoxProvider } from '../src/security/secret-box.ts'
import type { ObjectStore } from '../src/storage/object-store.ts'
import { seedConnections } from './connections.ts'
import { seedFolders } from './folders.ts'
import { seedPeople } from './people.ts'

/** What a seed may use; each adds what it is missing and leaves the rest alone. */
interface SeedContext {
  readonly knex: Knex
  readonly hashPassword: (password: string) => Promise<string>
  readonly secretBox: SecretBoxProvider
  readonly store: ObjectStore
  /** The forms application that the demo connection leads to. */
  readonly formulaires: { readonly url: string; readonly apiKey: string }
}

type Seed = (context: SeedContext) => Promise<void>

/** The demo world, in the order in which its parts build on each other. */
export const seeds: readonly Seed[] = [
  ({ knex, hashPassword }) => seedPeople(knex, hashPassword),
  ({ knex, store }) => seedFolders(knex, store),
  ({ knex, secretBox, formulaires }) => seedConnections(knex, secretBox, formulaires),
]
