import { SCOPES } from '../scope.ts'
import { scopedModel } from './scoped-query.ts'

/** What people change of a source by themselves; the rest of its row is written with its loads. */
interface ChangedColumns {
  name: string
  description: string | null
  column_descriptions: Readonly<Record<string, string>>
  updated_at: Date
}

export class Source extends scopedModel<ChangedColumns>(SCOPES.sources) {}
