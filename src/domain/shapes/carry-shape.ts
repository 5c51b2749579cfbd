import type { Pool } from 'pg'

import { withTransaction } from '../../db/transaction.ts'
import { ForeignKeyViolationError, translateDatabaseError } from '../../db/database-errors.ts'
import { selectionOf } from '../../resources/resource.ts'
import { type FileShape, shape } from '../../resources/shape.ts'
import type { ShapeColumns } from './shape-columns.ts'
import { rememberAliases } from './shape-versions.ts'

type Carried = Pick<FileShape, 'name' | 'columns' | 'left' | 'rules' | 'unknown' | 'missing'>

/** For operators, who see every enterprise. Null: there is no such shape. */
export async function exportShape(pool: Pool, uuid: string): Promise<Carried | null> {
  const { rows } = await pool.query<FileShape>(
    `select ${selectionOf(shape, 'sh')} from shapes sh where sh.uuid::text = $1`,
    [uuid],
  )
  const [found] = rows
  if (found === undefined) return null
  const { name, columns, left, rules, unknown, missing } = found
  return { name, columns, left, rules, unknown, missing }
}

/** Returns the uuid of the shape; null: there is no such enterprise. */
export async function importShape(
  pool: Pool,
  enterpriseId: number,
  given: ShapeColumns &
    Pick<FileShape, 'left' | 'rules' | 'unknown' | 'missing'> & { readonly name: string },
): Promise<string | null> {
  const { name, columns, heldColumns, left, rules, unknown, missing } = given
  try {
    return await withTransaction(pool, async (client) => {
      const { rows } = await client.query<{ id: number; uuid: string }>(
        `insert into shapes
           (enterprise_id, name, columns, held_columns, left_out, rules, unknown, missing)
         values ($1, $2, $3, $4, $5, $6, $7, $8) returning id, uuid`,
        [
          enterpriseId,
          name,
          ...[columns, heldColumns, left, rules].map((list) => JSON.stringify(list)),
          unknown,
          missing,
        ],
      )
      await rememberAliases(client, rows[0]!.id, columns)
      return rows[0]!.uuid
    })
  } catch (error) {
    if (translateDatabaseError(error) instanceof ForeignKeyViolationError) return null
    throw error
  }
}
