import type { connection } from '../resources/connection.ts'
import type { ColumnsOf } from '../resources/resource.ts'
import { SCOPES } from '../scope.ts'
import { scopedModel } from './scoped-query.ts'

interface KeyColumns {
  api_key_ciphertext: Buffer
  api_key_iv: Buffer
  api_key_key_id: string
  api_key_version: number
}

export class ConnectionModel extends scopedModel<ColumnsOf<typeof connection> & KeyColumns>(
  SCOPES.connections,
) {}
