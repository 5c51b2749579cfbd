import { fieldMessages, invalidFields } from '../../errors/index.ts'
import type { SourceType } from '../../resources/workflow.ts'
import type { Origin } from '../ingest/ingest.ts'
import { originOf } from './workflow.ts'
import { workflowMessages } from './workflow-messages.ts'

export interface PreviewRequest {
  readonly sourceType?: SourceType | undefined
  readonly documentUuid?: string | undefined
  readonly connectionUuid?: string | undefined
  readonly formUuid?: string | undefined
  readonly limit: number
}

type OriginField = 'documentUuid' | 'connectionUuid' | 'formUuid'

const FIELDS: readonly OriginField[] = ['documentUuid', 'connectionUuid', 'formUuid']
const NEEDED: Readonly<Record<SourceType, readonly OriginField[]>> = {
  document: ['documentUuid'],
  api: ['connectionUuid', 'formUuid'],
}

/** The source that a request describes; null if it describes none, refused if it is invalid. */
export function requestedOrigin(request: PreviewRequest): Origin | null {
  const { sourceType, documentUuid = '', connectionUuid = '', formUuid = '' } = request
  const given = FIELDS.filter((field) => request[field] !== undefined)
  if (sourceType === undefined) {
    if (given.length === 0) return null
    throw invalidFields([{ pointer: '/query/sourceType', message: fieldMessages.required() }])
  }
  const needed = NEEDED[sourceType]
  const errors = [
    ...needed
      .filter((field) => !given.includes(field))
      .map((field) => ({ pointer: `/query/${field}`, message: fieldMessages.required() })),
    ...given
      .filter((field) => !needed.includes(field))
      .map((field) => ({
        pointer: `/query/${field}`,
        message: workflowMessages.otherSourceType({ sourceType }),
      })),
  ]
  if (errors.length > 0) throw invalidFields(errors)
  return originOf(
    sourceType === 'document'
      ? { sourceType, documentUuid }
      : { sourceType, connectionUuid, formUuid },
  )
}
