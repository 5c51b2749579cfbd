import { SCOPES } from '../scope.ts'
import { ScopedModel } from './scoped-query.ts'

export class Source extends ScopedModel {
  static override tableName = 'sources'
  static override readonly scope = SCOPES.sources

  declare enterprise_id: number
  declare table_id: number
  declare name: string
  declare description: string | null
  declare column_descriptions: Readonly<Record<string, string>>
  declare source: 'file' | 'api'
  declare connection_uuid: string | null
  declare api_resource_type: 'form' | 'card' | null
  declare form_uuid: string | null
  declare form_title: string | null
  declare card_uuid: string | null
  declare card_title: string | null
  declare created_by: number | null
  declare created_at: Date
  declare updated_at: Date
}
