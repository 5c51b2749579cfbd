import { SCOPES } from '../scope.ts'
import { scopedModel } from './scoped-query.ts'

interface Columns {
  enterprise_id: number
  source_id: number | null
  name: string | null
  columns: unknown
  held_columns: readonly string[]
  left_out: readonly string[]
  rules: unknown
  unknown: string
  missing: string
  version: number
  created_by: number | null
  updated_at: Date
}

export class ShapeModel extends scopedModel<Columns>(SCOPES.shapes) {
  static override jsonAttributes = ['columns', 'held_columns', 'left_out', 'rules']
}
