import type { personalToken } from '../resources/personal-token.ts'
import type { ColumnsOf } from '../resources/resource.ts'
import { SCOPES } from '../scope.ts'
import { scopedModel } from './scoped-query.ts'

interface StoredColumns {
  user_id: number
  hash: Buffer
}

export class PersonalTokenModel extends scopedModel<
  ColumnsOf<typeof personalToken> & StoredColumns
>(SCOPES.personalTokens) {}
