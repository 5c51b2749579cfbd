import { t } from '../../core/language.js'
import { html, useEffect, useState } from '../../core/ui.js'
import { askSheetSize } from './ask-preview.js'
import { SheetsDialog, sizeWords } from './sheets-dialog.js'

/** So many sheets are looked into by themselves, one after the other. */
const MOST_LOOKED_INTO = 20

/** The sheets of a workbook, with their rows as they become known. */
export function SheetTabs({ draft, typed, options, onRead }) {
  const { sheet: shown, sheets } = typed.dialect
  const [sizes, setSizes] = useState(draft.sizes ?? {})
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    void lookInto(draft, sheets, stop.signal, setSizes)
    return () => stop.abort()
  }, [draft])
  return html`<div class="row">
    <nav class="tabs grow" aria-label=${t('sheets')}>
      ${sheets.map(
        ({ name, state }) =>
          html`<a
            href="#/sources/new"
            aria-current=${name === shown ? 'page' : undefined}
            onClick=${(event) => {
              event.preventDefault()
              if (name !== shown) onRead({ sheet: name })
            }}
            >${name}${' '}<span class="small soft">${sizeWords(sizes[name])}</span>${
              state !== 'visible' && html`${' '}<span class="tag">${t('sheets.hidden')}</span>`
            }</a
          >`,
      )}
    </nav>
    <button type="button" onClick=${() => setOpen(true)}>${t('sheets.several')}</button>
    ${
      isOpen &&
      html`<${SheetsDialog}
        draft=${draft}
        sheets=${sheets}
        sizes=${sizes}
        onInvalid=${options.onInvalid}
        onClose=${() => setOpen(false)}
      />`
    }
  </div>`
}

async function lookInto(draft, sheets, signal, onSizes) {
  draft.sizes ??= {}
  for (const { name } of sheets.slice(0, MOST_LOOKED_INTO)) {
    if (signal.aborted) return
    if (draft.sizes[name] !== undefined) continue
    try {
      draft.sizes = { ...draft.sizes, [name]: await askSheetSize(draft, name, signal) }
    } catch {
      // Left, or nothing that could be read: the tab says nothing of its rows.
      if (signal.aborted) return
      draft.sizes = { ...draft.sizes, [name]: null }
    }
    onSizes(draft.sizes)
  }
}
