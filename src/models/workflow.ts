import { SCOPES } from '../scope.ts'
import { ScopedModel } from './scoped-query.ts'

export class Workflow extends ScopedModel {
  static override tableName = 'workflows'
  static override readonly scope = SCOPES.workflows
  static override jsonAttributes = ['source_config']

  declare enterprise_id: number
  declare name: string
  declare source_config: unknown
  declare created_by: number | null
  declare created_at: Date
  declare updated_at: Date
}
