import { Model } from 'objection'

/**
 * The directory of enterprises, which is read by super-admins and through rows that belong to one.
 */
export class Enterprise extends Model {
  static override tableName = 'enterprises'

  declare id: number
}
