import type { Knex } from 'knex'

/** What an accent that stands alone is made of, once its space is gone: `l´an` was `l\u0301an`. */
const MARKS = String.raw`[\u0300-\u036f\u3099\u309a]+`
/** Accents that stand alone, and marks behind what names have no letters of. */
const ALONE = String.raw`[\u00a8\u00af\u00b4\u00b8\u02d8-\u02dd\u037a\u0384\u0385\u2017\u203e\u309b\u309c\uffe3]|[[:space:][:punct:]][\u0300-\u036f]`

/** An accent that stands alone is folded away with its mark now, and what was remembered is to be found. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `update shape_aliases
     set folded = regexp_replace(regexp_replace(folded, :between, '.', 'g'), :marks, '', 'g')
     where alias ~ :alone and folded ~ :marks`,
    { alone: ALONE, marks: MARKS, between: String.raw`(?<=\d)${MARKS}(?=\d)` },
  )
}

/** Nothing is taken back: an earlier version remembers such names anew with the next change of their shapes. */
export async function down(): Promise<void> {}
