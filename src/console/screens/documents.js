import { FileDrop } from '../components/file-drop.js'
import { Head } from '../components/frame.js'
import { ListOf } from '../components/list.js'
import { sendDocuments, Uploads } from '../components/uploads.js'
import { get } from '../core/api.js'
import { showBytes, showTime, t } from '../core/language.js'
import { linkTo } from '../core/router.js'
import { seesTree } from '../core/session.js'
import { html, useState } from '../core/ui.js'
import { DocumentButtons, severalDocuments } from './document-buttons.js'

/** As its name ends, which people know it by. */
const kindOf = ({ filename, contentType }) =>
  /\.([a-z0-9]{1,5})$/i.exec(filename)?.[1].toUpperCase() ?? contentType

/** What the person has uploaded. */
export default function Documents() {
  const [version, setVersion] = useState(0)
  const again = () => setVersion((before) => before + 1)
  const columns = [
    [t('name'), ({ filename }) => filename],
    [t('size'), ({ size }) => showBytes(size), 'number'],
    [t('kind'), kindOf],
    [
      t('folder'),
      ({ folderUuid }) =>
        folderUuid &&
        seesTree() &&
        html`<a href=${linkTo('folders', folderUuid)}>${t('folder.show')}</a>`,
    ],
    [t('createdAt'), ({ createdAt }) => showTime(createdAt), 'time'],
    ['', (document) => html`<${DocumentButtons} document=${document} onDone=${again} />`],
  ]
  return html`<div class="screen">
    <${Head} title=${t('part.documents')} about=${t('documents.about')} />
    <${FileDrop}
      label=${t('documents.drop')}
      multiple
      onFiles=${(files) => sendDocuments(files, { onDone: again })}
    />
    <${Uploads} onDone=${again} />
    <${ListOf}
      label=${t('part.documents')}
      question=${(query, signal) => get('/documents', query, signal)}
      columns=${columns}
      several=${severalDocuments()}
      search
      version=${version}
      empty=${t('documents.empty')}
    />
  </div>`
}
