import { signal, useState } from '../../core/ui.js'
import { stopUpload } from '../../core/uploads.js'

/** Sources that are being made: they wait here while other screens are shown. */
export const drafts = signal([])
export const chosen = signal(null)

let last = 0

/** `origins` are `{ kind: 'file', file }`, `{ kind: 'document', … }` or `{ kind: 'resource', … }`. */
export function addDrafts(origins) {
  const added = origins.map((origin) => {
    const label = labelOf(origin)
    const name = nameFor(origin, label)
    return {
      id: ++last,
      origin,
      label,
      name,
      tableName: tableNameFor(name),
      sampling: null,
      documentUuid: null,
      sheet: null,
      seen: null,
      said: {},
    }
  })
  drafts.value = [...drafts.value, ...added]
  chosen.value = added[0].id
}

export function dropDraft(id) {
  const { file } = drafts.value.find((draft) => draft.id === id)?.origin ?? {}
  drafts.value = drafts.value.filter((draft) => draft.id !== id)
  // Several sheets of a file are several drafts.
  if (file && !drafts.value.some(({ origin }) => origin.file === file)) stopUpload(file)
  chosen.value = drafts.value[0]?.id ?? null
}

export function chooseDraft(id) {
  chosen.value = id
}

/** As `useState`, of what was said of a draft: it stays with it while other places are shown. */
export function useSaid(draft, name, initial) {
  const [value, setValue] = useState(draft.said[name] ?? initial)
  const say = (change) => {
    const before = draft.said[name] ?? initial
    draft.said[name] = typeof change === 'function' ? change(before) : change
    setValue(draft.said[name])
  }
  return [value, say]
}

function labelOf(origin) {
  if (origin.kind === 'file') return origin.file.name
  return origin.title
}

const COMPRESSED = /\.(?:gz|zip|zst)$/i
const EXTENSION = /\.[a-z][a-z0-9]{1,7}$/i

/** A form is called as it is; of a file what it is called without its kind. */
function nameFor({ kind }, label) {
  return kind === 'resource' ? label : label.replace(COMPRESSED, '').replace(EXTENSION, '')
}

/** A name that SQL takes, from what the file or form is called. */
export function tableNameFor(name) {
  const plain = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  const named = /^[a-z_]/.test(plain) ? plain : `t_${plain}`
  return named.slice(0, 63)
}
