import type { SlotState } from '../resources/collection.ts'
import { SCOPES } from '../scope.ts'
import { scopedModel } from './scoped-query.ts'

interface Columns {
  enterprise_id: number
  source_id: number
  name: string
  message: string | null
  deadline: Date | null
  close_at_deadline: boolean
  approval: boolean
  remind: readonly string[]
  sender_column: string | null
  period_column: string | null
  created_by: number | null
  updated_at: Date
}

export class CollectionModel extends scopedModel<Columns>(SCOPES.collections) {
  static override jsonAttributes = ['remind']
}

interface SlotColumns {
  collection_id: number
  state: SlotState
}

export class SlotModel extends scopedModel<SlotColumns>(SCOPES.slots) {}
