import { SCOPES } from '../scope.ts'
import { ScopedModel } from './scoped-query.ts'

export class Connection extends ScopedModel {
  static override tableName = 'connections'
  static override readonly scope = SCOPES.connections

  declare enterprise_id: number
  declare type: 'FORMULAIRES'
  declare name: string
  declare base_url: string
  declare api_key_ciphertext: Buffer
  declare api_key_iv: Buffer
  declare api_key_key_id: string
  declare api_key_prefix: string
  declare api_key_version: number
  declare status: 'ACTIVE' | 'ERROR'
  declare error_message: string | null
  declare last_validated_at: Date | null
  declare created_at: Date
  declare updated_at: Date
}
