import { SCOPES } from '../scope.ts'
import { ScopedModel } from './scoped-query.ts'

export class Source extends ScopedModel {
  static override tableName = 'sources'
  static override readonly scope = SCOPES.sources
  static override jsonAttributes = ['columns', 'options', 'report']

  declare enterprise_id: number
  declare name: string
  declare table_name: string
  declare source: 'file' | 'api'
  declare source_type: string | null
  declare status: 'LOADING' | 'READY' | 'FAILED'
  declare row_count: number
  declare rejected_count: number
  declare columns: unknown
  declare options: unknown
  declare report: unknown
  declare error_message: string | null
  declare connection_uuid: string | null
  declare api_resource_type: 'form' | 'card' | null
  declare form_uuid: string | null
  declare form_title: string | null
  declare card_uuid: string | null
  declare card_title: string | null
  declare document_uuid: string | null
  declare filename: string | null
  declare object_bucket: string | null
  declare object_path: string | null
  declare object_size: number | null
  declare object_sha256: string | null
  declare busy_by: number | null
  declare busy_token: string | null
  declare busy_job: string | null
  declare created_by: number | null
  declare created_at: Date
  declare updated_at: Date
  declare loaded_at: Date | null
}
