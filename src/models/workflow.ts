import type { ColumnsOf } from '../resources/resource.ts'
import type { workflow } from '../resources/workflow.ts'
import { SCOPES } from '../scope.ts'
import { scopedModel } from './scoped-query.ts'

type Columns = ColumnsOf<typeof workflow> & { created_by: number | null }

export class WorkflowModel extends scopedModel<Columns>(SCOPES.workflows) {
  static override jsonAttributes = ['source_config']
}
