import { get, post } from '../../core/api.js'
import { formOf } from '../../core/forms.js'
import { takes } from '../../core/formats.js'
import { SAMPLE_BYTES, sampleOf } from '../../core/sample.js'
import { uploadInParts } from '../../core/uploads.js'
import { soon, whenFree } from '../../core/when-free.js'

const ROWS = 100
/** So many rows are looked at by the service to know what a file is. */
const SAMPLED_ROWS = 10_000

/**
 * What the service sees in the origin of a draft. A large file in lines is seen by its beginning;
 * one that can only be read whole is stored first, and sent once however often it is looked at.
 * `onShown` is told what the rows in sight become, before all of the sample has been looked at.
 */
export async function askPreview(draft, options, { signal, onUpload, onShown }) {
  const { origin } = draft
  if (origin.kind === 'resource') {
    const typed = await get('/sources/api-preview', resourceQuery(origin), signal)
    return { typed, sheet: null, isPart: false }
  }
  const { ask, askBeginning, isPart } = await previewer(draft, { signal, onUpload })
  if (askBeginning && draft.seen) {
    const shown = await askShown(askBeginning, draft.seen, options)
    if (shown) onShown(shown)
  }
  const typed = await ask(options)
  // The rows as they stand change only with how the file is opened.
  const asIs = sheetOptions(typed, options)
  const key = JSON.stringify(asIs)
  if (draft.sheet?.key !== key) {
    draft.sheet = { key, rows: await askSheet(askBeginning ?? ask, asIs) }
  }
  const seen = { typed, sheet: draft.sheet.rows, isPart }
  draft.seen = { ...seen, options }
  return seen
}

/** How the headers meet the columns of a shape. */
export async function askHeaders(draft, options, shapeUuid, signal) {
  const { ask } = await previewer(draft, { signal, limit: 1 })
  return ask(options, { shapeUuid })
}

/** How many rows the table of a sheet has, as far as a preview reads. */
export async function askSheetSize(draft, sheet, signal) {
  const { ask } = await previewer(draft, { signal, limit: 1 })
  const { table } = await ask({ sheet, onInvalid: 'skip' })
  if (table === undefined || table.firstRow === null) return { rows: 0, isAll: true }
  const { firstRow, lastRow } = table
  return lastRow === null
    ? { rows: SAMPLED_ROWS, isAll: false }
    : { rows: lastRow - firstRow + 1, isAll: true }
}

async function previewer(draft, { signal, onUpload, limit = ROWS }) {
  const { origin } = draft
  const query = { limit }
  const send = (body) =>
    whenFree(() => post('/sources/preview', body, { query, signal }), signal, soon)
  const askStored =
    (documentUuid) =>
    (options, more = {}) =>
      send({ documentUuid, options, ...more })
  if (origin.kind === 'document') return { ask: askStored(origin.uuid), isPart: false }
  const sample = await (draft.sampling ??= sampleOf(origin.file))
  if (sample === null) {
    draft.documentUuid ??= (await uploadInParts(origin.file, { onProgress: onUpload, signal })).uuid
    return { ask: askStored(draft.documentUuid), isPart: false }
  }
  const askWith =
    ({ blob, name }) =>
    (options, more = {}) =>
      send(formOf({ options, ...more }, blob, name))
  return {
    ask: askWith(sample),
    askBeginning: sample.beginning && askWith(sample.beginning),
    isPart: !sample.whole,
  }
}

/** Said of the values of all columns: what types follow from it, only all of the sample can tell. */
const SAID_OF_VALUES = ['decimal', 'timezone', 'nullValues', 'onInvalid']

/** Null where the beginning alone does not tell, which is no fault. */
async function askShown(askBeginning, seen, options) {
  const changed = changedBetween(seen.options, options)
  if (changed.length === 0) return seen
  if (changed.some((name) => SAID_OF_VALUES.includes(name))) return null
  try {
    const typed = await askBeginning(options)
    if (typed.data.length === 0) return null
    if (changed.some((name) => name !== 'columns')) return { ...seen, typed, isPart: true }
    const names = changedBetween(byName(seen.options), byName(options))
    return { ...seen, typed: withColumns(seen.typed, typed, names) }
  } catch (problem) {
    if (problem.status === 400) return null
    throw problem
  }
}

const byName = ({ columns = [] }) =>
  Object.fromEntries(columns.map((column) => [column.name, column]))

const changedBetween = (before, after) =>
  Object.keys({ ...before, ...after }).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )

/** Columns that nobody has spoken of are what all of the sample makes them. */
function withColumns(typed, beginning, names) {
  const columns = typed.columns.map((column) =>
    names.includes(column.name)
      ? (beginning.columns.find(({ name }) => name === column.name) ?? column)
      : column,
  )
  const data = typed.data.map((row, at) => {
    const values = beginning.data[at]
    if (values === undefined) return row
    return { ...row, ...Object.fromEntries(names.map((name) => [name, values[name]])) }
  })
  return { ...typed, columns, data }
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
