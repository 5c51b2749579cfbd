import type { Knex } from 'knex'

/**
 * Addresses are compared as people see them now. Of two users whose addresses differ in their bytes alone, the
 * later one keeps theirs, which nobody can sign in with any more.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `update users u set email = normalize(u.email::text, nfkc)
     where u.email::text is not nfkc normalized and not exists (
       select from users other
       where other.id <> u.id and normalize(other.email::text, nfkc) = normalize(u.email::text, nfkc)
         and (other.id < u.id or other.email::text is nfkc normalized))`,
  )
}

/** What was written in another way is not known any more, and an earlier version finds it as it is. */
export async function down(): Promise<void> {}
