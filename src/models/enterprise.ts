import { Model } from 'objection'

import type { AccountType } from '../resources/enterprise.ts'

/** The directory of enterprises; read by super-admins and through what belongs to one. */
export class Enterprise extends Model {
  static override tableName = 'enterprises'

  declare id: number
  declare uuid: string
  declare name: string
  declare account_type: AccountType
  declare created_at: Date
}
