import type { Pool } from 'pg'

import { MissingTableError, translateDatabaseError } from '../../../src/db/database-errors.ts'
import type { Shelter } from './shelter.ts'

/** Shapes of secrets whose text the tests do not know: tokens, signatures of links. */
const SHAPES = [
  /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]+/,
  /[?&](?:X-Amz-Signature|signature)=[\w%]{16,}/i,
]

/** Its receipts look like tokens, and are for everybody to read. */
const RECEIPTS = 'public.collection_deliveries'

/** What a load wrote into a table that it should not have, it wrote into each row. */
const LOADED_ROWS = 10_000

interface Table {
  readonly name: string
  readonly is_generated: boolean
  readonly version: string
}

/** Loads that were found clean: what is loaded is not changed, and there are more of them after each fault. */
const cleanOf = new WeakMap<Pool, Set<string>>()

/** Neither a line of the log nor a row of any table holds one of the secrets. */
export async function secretsShown({ pool, output, secrets }: Shelter): Promise<string[]> {
  const known = secrets()
  const lines = output()
    .filter((line) => known.some((secret) => line.includes(secret)) || looksSecret(line))
    .slice(0, 3)
    .map((line) => `the log says ${line.slice(0, 300)}`)
  return [...lines, ...(await rowsWith(pool, known))]
}

const looksSecret = (text: string) => SHAPES.some((shape) => shape.test(text))

async function rowsWith(pool: Pool, secrets: readonly string[]): Promise<string[]> {
  // A bytea is shown in hexadecimal, so both spellings are looked for.
  const spellings = secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('hex')])
  const pattern = spellings.map((text) => text.replace(/[^\w]/g, '\\$&')).join('|')
  const { rows: tables } = await pool.query<Table>(
    // Not as a regclass, which is shown as a number where the table has gone in between.
    `select format('%I.%I', nspname, relname) as name, nspname like 'enterprise\\_%' as is_generated,
            concat_ws(':', c.oid, pg_relation_filenode(c.oid), pg_relation_size(c.oid)) as version
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and nspname not in ('pg_catalog', 'information_schema')`,
  )
  const found: string[] = []
  const clean = cleanOf.get(pool) ?? new Set()
  cleanOf.set(pool, clean)
  for (const { name, is_generated: isGenerated, version } of tables) {
    if (clean.has(version)) continue
    const held =
      name === RECEIPTS
        ? `select to_jsonb(d) - 'receipt' from ${name} d`
        : `select * from ${name} ${isGenerated ? `limit ${LOADED_ROWS}` : ''}`
    if (await holds(pool, held, pattern)) found.push(`a secret stands in ${name}`)
    else if (isGenerated) clean.add(version)
  }
  return found
}

async function holds(pool: Pool, rows: string, pattern: string): Promise<boolean> {
  try {
    const { rowCount } = await pool.query(
      `select 1 from (${rows}) as held
       where held::text ~ $1 or held::text ~ 'eyJ[[:alnum:]_-]{10,}\\.eyJ[[:alnum:]_-]{10,}' limit 1`,
      [pattern],
    )
    return rowCount !== 0
  } catch (error) {
    // What loads leave behind is dropped at any time.
    if (translateDatabaseError(error) instanceof MissingTableError) return false
    throw error
  }
}
