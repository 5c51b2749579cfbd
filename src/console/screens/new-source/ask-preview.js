import { get, post } from '../../core/api.js'
import { takes } from '../../core/formats.js'
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
  const typed = await ask(options)
  // The rows as they stand change only with how the file is opened.
  const asIs = sheetOptions(typed, options)
  const key = JSON.stringify(asIs)
  if (draft.sheet?.key !== key) draft.sheet = { key, rows: await askSheet(ask, asIs) }
  const isPart = draft.sampling !== null && !(await draft.sampling)?.whole
  return { typed, sheet: draft.sheet.rows, isPart }
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
    form.append('file', sample.blob, sample.name)
    return post('/sources/preview', form, { query, signal })
  }
}

/** Said of how a file is opened; the rest says what is made of it. */
const OPENING = ['encoding', 'delimiter', 'quote', 'sheet', 'path', 'widths']

function sheetOptions({ format, table, dialect }, options) {
  // Other formats have no rows but those of their table.
  if (!takes(format, 'headerRow')) return null
  const opening = Object.fromEntries(
    Object.entries(options).filter(([name]) => OPENING.includes(name)),
  )
  const { delimiter } = dialect ?? {}
  return {
    ...opening,
    format,
    headerRow: 0,
    // What was found in the whole is not looked for again in its titles.
    ...(delimiter?.value && { delimiter: delimiter.value }),
    ...(format === 'csv' && { ragged: 'fit' }),
    ...(table && { firstRow: 1, notes: 'load' }),
  }
}

/** Every row as it stands, as text; null where the service does not show it. */
async function askSheet(ask, asIs) {
  if (asIs === null) return null
  try {
    const answer = await ask(asIs)
    if (answer.columns.every(({ type }) => type === 'text')) return answer
    return await ask({
      ...asIs,
      columns: answer.columns.map(({ name }) => ({ name, type: 'text' })),
    })
  } catch (problem) {
    // The table can be seen though the rows around it cannot.
    if (problem.status === 400) return null
    throw problem
  }
}

export const resourceQuery = ({ connectionUuid, type, uuid, title }) => ({
  connectionUuid,
  apiResourceType: type,
  ...(type === 'form'
    ? { formUuid: uuid, formTitle: title }
    : { cardUuid: uuid, cardTitle: title }),
})

export const isLarge = (file) => file.size > SAMPLE_BYTES * 64
