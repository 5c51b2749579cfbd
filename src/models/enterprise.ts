import { Model } from 'objection'

/** The directory of enterprises; read by super-admins and through what belongs to one. */
export class Enterprise extends Model {
  static override tableName = 'enterprises'

  declare id: number
}
