import type { SourceConfig } from '../../resources/workflow.ts'
import type { Origin } from '../ingest/ingest.ts'

/** What is needed to open a source; the title of the form is only shown. */
type Located =
  | Extract<SourceConfig, { sourceType: 'document' }>
  | Omit<Extract<SourceConfig, { sourceType: 'api' }>, 'formTitle'>

export function originOf(config: Located): Origin {
  if (config.sourceType === 'document') {
    return { kind: 'document', documentUuid: config.documentUuid }
  }
  return {
    kind: 'api',
    connectionUuid: config.connectionUuid,
    resourceType: 'form',
    resourceUuid: config.formUuid,
  }
}
