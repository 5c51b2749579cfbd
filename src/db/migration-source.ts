import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import type { Knex } from 'knex'

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url))

const MIGRATION_FILE = /^\d{4}_[a-z0-9_]+\.ts$/

interface MigrationFile {
  readonly name: string
  /** Shown by Knex's command line. */
  readonly file: string
}

/** The names of the migrations that this version knows, in their order. */
export async function knownMigrations(
  source: Knex.MigrationSource<unknown> = createMigrationSource(),
): Promise<string[]> {
  return (await source.getMigrations([])).map((one) => source.getMigrationName(one))
}

/** Knex's own loader supports neither `.ts` files nor ES modules. */
export function createMigrationSource(
  folder = MIGRATIONS_FOLDER,
): Knex.MigrationSource<MigrationFile> {
  return {
    async getMigrations() {
      const files = await readdir(folder)
      return files
        .filter((file) => MIGRATION_FILE.test(file))
        .toSorted()
        .map((file) => ({ file, name: file.replace(/\.ts$/, '') }))
    },
    getMigrationName: ({ name }) => name,
    getMigration: async ({ file }) =>
      (await import(pathToFileURL(join(folder, file)).href)) as Knex.Migration,
  }
}
