import { get, post } from '../../core/api.js'
import { SAMPLE_BYTES, sampleOf } from '../../core/sample.js'
import { uploadInParts } from '../../core/uploads.js'

const ROWS = 100

/**
 * What the service sees in the origin of a draft. A large file in lines is seen by its beginning;
 * one that can only be read whole is stored first, and sent once however often it is looked at.
 */
export async function askPreview(draft, options, { signal, onUpload }) {
  const { origin } = draft
  if (origin.kind === 'resource') {
    const typed = await get('/sources/api-preview', resourceQuery(origin), signal)
    return { typed, sheet: null, isPart: false }
  }
  const ask = await previewer(draft, { signal, onUpload })
  const [typed, sheet] = await Promise.all([ask(options), askSheet(ask, options)])
  return { typed, sheet, isPart: draft.sampling !== null && !(await draft.sampling)?.whole }
}

async function previewer(draft, { signal, onUpload }) {
  const { origin } = draft
  const query = { limit: ROWS }
  const stored = (documentUuid) => (options) =>
    post('/sources/preview', { documentUuid, options }, { query, signal })
  if (origin.kind === 'document') return stored(origin.uuid)
  const sample = await (draft.sampling ??= sampleOf(origin.file))
  if (sample === null) {
    draft.documentUuid ??= (await uploadInParts(origin.file, { onProgress: onUpload, signal })).uuid
    draft.sampling = null
    return stored(draft.documentUuid)
  }
  return (options) => {
    const form = new FormData()
    form.append('options', JSON.stringify(options))
    form.append('file', sample.blob, origin.file.name)
    return post('/sources/preview', form, { query, signal })
  }
}

/** Said of how a file is opened; the rest says what is made of it. */
const OPENING = ['format', 'encoding', 'delimiter', 'quote', 'sheet', 'path', 'widths']

/** Every row as it stands, as text. Null where the format has no rows but those of its table. */
async function askSheet(ask, options) {
  const opening = Object.fromEntries(
    Object.entries(options).filter(([name]) => OPENING.includes(name)),
  )
  const asIs = { ...opening, headerRow: 0, ragged: 'fit' }
  const whole = { ...asIs, firstRow: 1, notes: 'load' }
  const given = await firstThat([whole, asIs, { ...opening, headerRow: 0 }], ask)
  if (given === null) return null
  const { answer, options: taken } = given
  if (answer.columns.every(({ type }) => type === 'text')) return answer
  const columns = answer.columns.map(({ name }) => ({ name, type: 'text' }))
  return ask({ ...taken, columns })
}

async function firstThat(candidates, ask) {
  for (const options of candidates) {
    try {
      return { options, answer: await ask(options) }
    } catch (problem) {
      // An option that this format, or this service, does not know.
      if (problem.status !== 400) throw problem
    }
  }
  return null
}

export const resourceQuery = ({ connectionUuid, type, uuid, title }) => ({
  connectionUuid,
  apiResourceType: type,
  ...(type === 'form'
    ? { formUuid: uuid, formTitle: title }
    : { cardUuid: uuid, cardTitle: title }),
})

export const isLarge = (file) => file.size > SAMPLE_BYTES * 64
