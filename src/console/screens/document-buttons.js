import { Confirm } from '../components/dialog.js'
import { RowDeeds } from '../components/row-deeds.js'
import { tell, tellProblem } from '../components/toast.js'
import { del, get } from '../core/api.js'
import { openLink } from '../core/download.js'
import { t } from '../core/language.js'
import { goTo } from '../core/router.js'
import { isAdmin } from '../core/session.js'
import { html, useState } from '../core/ui.js'
import { addDrafts } from './new-source/drafts.js'

/** What can be done with a document; one of somebody else can only be read into a table. */
export function DocumentButtons({ document, isOwn = true, onDone }) {
  const [asks, setAsks] = useState(false)
  const { uuid, filename } = document
  return html`<${RowDeeds}
      of=${filename}
      deeds=${[
        isOwn && [t('download'), () => downloadDocument(uuid)],
        isAdmin() && [t('documents.source'), () => makeSources([document])],
        isOwn && [t('delete'), () => setAsks(true), 'danger'],
      ]}
    />
    ${
      asks &&
      html`<${Confirm}
        title=${t('documents.delete')}
        text=${t('documents.delete.text', { name: filename })}
        label=${t('delete')}
        deed=${() => del(`/documents/${uuid}`)}
        onClose=${() => setAsks(false)}
        onDone=${() => {
          tell(t('deleted'))
          onDone()
        }}
      />`
    }`
}

/** What can be done with several of them. */
export const severalDocuments = (isOwn = () => true) => ({
  nameOf: ({ filename }) => filename,
  deeds: [
    { words: t('documents.source'), isFor: isAdmin, all: makeSources },
    {
      words: t('delete'),
      kind: 'danger',
      isFor: isOwn,
      ask: () => t('documents.deleteSeveral'),
      each: ({ uuid }) => del(`/documents/${uuid}`),
    },
  ],
})

function makeSources(documents) {
  addDrafts(documents.map(({ uuid, filename }) => ({ kind: 'document', uuid, title: filename })))
  goTo('sources', 'new')
}

async function downloadDocument(uuid) {
  try {
    const { url, filename } = await get(`/documents/${uuid}/download`)
    openLink(url, filename)
  } catch (problem) {
    tellProblem(problem)
  }
}
