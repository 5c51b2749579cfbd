import { Model } from 'objection'

/**
 * The directory of enterprises, which is read by super-admins and through rows that belong to one.
 */
export class EnterpriseModel extends Model {
  static override tableName = 'enterprises'

  declare id: number
}
