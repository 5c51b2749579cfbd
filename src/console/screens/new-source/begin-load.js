import { post, sendForm } from '../../core/api.js'
import { formOf } from '../../core/forms.js'
import { asJob } from '../../core/jobs.js'
import { onlyIf } from '../../core/mapping.js'
import { uploadInParts } from '../../core/uploads.js'
import { isLarge, resourceQuery } from './ask-preview.js'

/** What becomes of cells that do not fit. */
export const POLICIES = ['reject', 'null', 'skip']

/**
 * Gives the job that loads; a small file is sent with the request, a large one beforehand, in parts.
 * `shape`: the version of it that was shown, if there is one.
 */
export async function beginLoad(draft, given, { signal, onProgress, shape }) {
  const headers = { ...asJob, ...onlyIf(shape) }
  const { origin } = draft
  if (origin.kind === 'resource') {
    const { columns, nullValues, datePlaceholders, timezone, decimal, onInvalid } = given.options
    const options = JSON.parse(
      JSON.stringify({ columns, nullValues, datePlaceholders, timezone, decimal, onInvalid }),
    )
    const body = { source: 'api', ...given, options, ...resourceQuery(origin) }
    return post('/sources', body, { headers, signal })
  }
  if (origin.kind === 'file' && isLarge(origin.file)) {
    draft.documentUuid ??= (await uploadInParts(origin.file, { onProgress, signal })).uuid
  }
  const documentUuid = origin.kind === 'document' ? origin.uuid : draft.documentUuid
  if (documentUuid !== null) {
    return post('/sources', { source: 'file', ...given, documentUuid }, { headers, signal })
  }
  const form = formOf({ source: 'file', ...given }, origin.file)
  return sendForm('/sources', form, { headers, onProgress, signal })
}
