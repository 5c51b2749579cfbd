import { SCOPES } from '../scope.ts'
import { scopedModel } from './scoped-query.ts'

/** The columns that people change directly; the rest of a row is written by its loads. */
interface ChangedColumns {
  name: string
  description: string | null
  column_descriptions: Readonly<Record<string, string>>
  /** Null: it has a shape of its own. */
  shape_id: number | null
  updated_at: Date
}

export class SourceModel extends scopedModel<ChangedColumns>(SCOPES.sources) {}
