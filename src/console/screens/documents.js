import { Confirm } from '../components/dialog.js'
import { FileDrop } from '../components/file-drop.js'
import { Head } from '../components/frame.js'
import { ListOf } from '../components/list.js'
import { RowButton } from '../components/row-button.js'
import { Uploads } from '../components/uploads.js'
import { tell, tellProblem } from '../components/toast.js'
import { del, get } from '../core/api.js'
import { openLink } from '../core/download.js'
import { showBytes, showTime, t } from '../core/language.js'
import { goTo } from '../core/router.js'
import { isAdmin } from '../core/session.js'
import { html, useState } from '../core/ui.js'
import { addDrafts } from './new-source/drafts.js'

/** What the person has uploaded. */
export default function Documents() {
  const [files, setFiles] = useState([])
  const [version, setVersion] = useState(0)
  const [removed, setRemoved] = useState(null)
  const again = () => setVersion((before) => before + 1)
  const makeSource = ({ uuid, filename }) => {
    addDrafts([{ kind: 'document', uuid, title: filename }])
    goTo('sources', 'new')
  }
  const columns = [
    [t('name'), ({ filename }) => filename],
    [t('size'), ({ size }) => showBytes(size), 'number'],
    [t('kind'), ({ contentType }) => contentType],
    [t('createdAt'), ({ createdAt }) => showTime(createdAt), 'time'],
    [
      '',
      (document) =>
        html`<div class="row">
          <${RowButton}
            words=${t('download')}
            of=${document.filename}
            onClick=${() => downloadDocument(document)}
          />
          ${isAdmin() && html`<${RowButton} words=${t('documents.source')} of=${document.filename} onClick=${() => makeSource(document)} />`}
          <${RowButton}
            words=${t('delete')}
            of=${document.filename}
            kind="danger"
            onClick=${() => setRemoved(document)}
          />
        </div>`,
    ],
  ]
  return html`<div class="screen">
    <${Head} title=${t('part.documents')} about=${t('documents.about')} />
    <${FileDrop}
      label=${t('documents.drop')}
      multiple
      onFiles=${(added) => setFiles((before) => [...before, ...added])}
    />
    <${Uploads} files=${files} onDone=${again} />
    <${ListOf}
      label=${t('part.documents')}
      question=${(query, signal) => get('/documents', query, signal)}
      columns=${columns}
      search
      version=${version}
      empty=${html`<p>${t('documents.empty')}</p>`}
    />
    ${
      removed &&
      html`<${Confirm}
        title=${t('documents.delete')}
        text=${t('documents.delete.text', { name: removed.filename })}
        label=${t('delete')}
        deed=${() => del(`/documents/${removed.uuid}`)}
        onClose=${() => setRemoved(null)}
        onDone=${() => {
          tell(t('deleted'))
          again()
        }}
      />`
    }
  </div>`
}

async function downloadDocument({ uuid }) {
  try {
    const { url, filename } = await get(`/documents/${uuid}/download`)
    openLink(url, filename)
  } catch (problem) {
    tellProblem(problem)
  }
}
