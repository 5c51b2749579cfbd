import { Answer } from '../components/answer.js'
import { Confirm, FormDialog } from '../components/dialog.js'
import { Empty } from '../components/empty.js'
import { FileDrop } from '../components/file-drop.js'
import { Head } from '../components/frame.js'
import { Icon } from '../components/icon.js'
import { Filter, ListOf, useFilter } from '../components/list.js'
import { NameDialog } from '../components/name-dialog.js'
import { Problem } from '../components/problem.js'
import { More, RowDeeds } from '../components/row-deeds.js'
import { sendDocuments, Uploads } from '../components/uploads.js'
import { tell, tellProblem } from '../components/toast.js'
import { Way } from '../components/way.js'
import { del, get, patch, post } from '../core/api.js'
import { listed, showBytes, showNumber, showTime, t } from '../core/language.js'
import { useAnswer } from '../core/loading.js'
import { goTo, linkTo } from '../core/router.js'
import { isSuperAdmin, seesTree } from '../core/session.js'
import { html, useState } from '../core/ui.js'
import { DeleteRoot } from './delete-root.js'
import { DocumentButtons, severalDocuments } from './document-buttons.js'

/** The tree of folders: of one's own enterprise, or, for a super-admin, of all. */
export default function Folders({ path: [, uuid] }) {
  if (uuid !== undefined) return html`<${Folder} uuid=${uuid} />`
  return isSuperAdmin() ? html`<${Roots} />` : html`<${Mine} />`
}

function Mine() {
  const { data, problem, askAgain } = useAnswer((signal) => get('/folders/mine', {}, signal), [])
  const isAbsent = problem?.code === 'FolderNotFoundException'
  return html`<div class="screen">
    <${Head} title=${t('part.folders')} about=${t('folders.about')} />
    ${isAbsent ? html`<${Empty} of="folders"><p>${t('folders.none')}</p><//>` : html`<${Problem} problem=${problem} askAgain=${askAgain} />`}
    ${
      data &&
      html`<div class="panel tree">
        <${Branch} folder=${data} children=${data.children} isOpenable=${seesTree()} />
      </div>`
    }
    ${data && (seesTree() ? html`<${Files} folder=${data} onDone=${askAgain} />` : html`<${Sending} folder=${data} onDone=${askAgain} />`)}
  </div>`
}

/** A folder and, once it is opened, what lies in it. */
function Branch({ folder, children: known = null, isOpenable = true }) {
  const [isOpen, setOpen] = useState(known !== null)
  const [more, setMore] = useState(1)
  const { data, problem, askAgain } = useAnswer(
    (signal) =>
      isOpen && isOpenable && known === null
        ? askChildren(folder.uuid, more, signal)
        : Promise.resolve(known === null ? null : { items: known, total: known.length }),
    [folder.uuid, isOpen, more],
  )
  return html`<div class="tree-line">
      ${
        folder.childCount > 0 && isOpenable
          ? html`<button
              type="button"
              class="plain"
              aria-expanded=${isOpen}
              aria-label=${`${t(isOpen ? 'folder.shut' : 'folder.open')} ${folder.name}`}
              onClick=${() => setOpen(!isOpen)}
            >
              <${Icon} of=${isOpen ? 'more' : 'aside'} />
            </button>`
          : html`<span class="soft"><${Icon} of="folders" /></span>`
      }
      ${isOpenable ? html`<a href=${linkTo('folders', folder.uuid)}>${folder.name}</a>` : folder.name}
      <span class="small soft">${t('folder.documents', { count: folder.documentCount })}</span>
    </div>
    <${Problem} problem=${problem} askAgain=${askAgain} />
    ${
      isOpen &&
      data &&
      html`<ul>
        ${data.items.map((child) => html`<li key=${child.uuid}><${Branch} folder=${child} isOpenable=${isOpenable} /></li>`)}
        ${data.items.length < data.total && html`<li><button type="button" class="plain" onClick=${() => setMore(more + 1)}>${t('more')}</button></li>`}
      </ul>`
    }`
}

async function askChildren(uuid, pages, signal) {
  const asked = Array.from({ length: pages }, (_, at) =>
    get(`/folders/${uuid}/children`, { page: at + 1, limit: 100 }, signal),
  )
  const found = await Promise.all(asked)
  return { items: found.flatMap(({ items }) => items), total: found[0].total }
}

const BRING_BACK = [
  '',
  (folder) =>
    html`<${RowDeeds}
      of=${folder.name}
      deeds=${[[t('folder.restore'), () => restore(folder).then(tell, tellProblem)]]}
    />`,
]

function Roots() {
  const [parent, setParent] = useFilter('parent', ['all', 'deleted'])
  const isDeleted = parent === 'deleted'
  const columns = [
    [
      t('name'),
      ({ uuid, name }) => (isDeleted ? name : html`<a href=${linkTo('folders', uuid)}>${name}</a>`),
    ],
    [t('enterprise'), ({ enterprise }) => enterprise.name],
    [t('folder.children'), ({ childCount }) => showNumber(childCount), 'number'],
    [t('part.documents'), ({ documentCount }) => showNumber(documentCount), 'number'],
    [t('createdAt'), ({ created_at: createdAt }) => showTime(createdAt), 'time'],
    ...(isDeleted
      ? [[t('deletedAt'), ({ deleted_at: at }) => showTime(at), 'time'], BRING_BACK]
      : []),
  ]
  const choices = [
    ['', t('folders.root')],
    ['all', t('folders.all')],
    ['deleted', t('folders.deleted')],
  ]
  const tools = html`<${Filter}
    label=${t('folders.which')}
    value=${parent}
    choices=${choices}
    onChange=${setParent}
  />`
  return html`<div class="screen">
    <${Head} title=${t('part.folders')} about=${t('folders.aboutAll')}>
      <a class="button" href=${linkTo('enterprises')}>${t('folder.newRoot')}</a>
    <//>
    <${ListOf}
      label=${t('part.folders')}
      question=${(query, signal) => get('/folders', { ...query, parent: parent || 'root' }, signal)}
      filters=${{ parent }}
      columns=${columns}
      search
      tools=${tools}
      empty=${t('folders.none')}
    />
  </div>`
}

function Folder({ uuid }) {
  const answer = useAnswer((signal) => get(`/folders/${uuid}/breadcrumb`, {}, signal), [uuid])
  return html`<div class="screen">
    ${!answer.data && html`<${Way} part="folders" />`}
    <${Answer}
      of=${answer}
      thing=${uuid}
      show=${({ items }) => html`<${Contents} way=${items} onChanged=${answer.askAgain} />`}
    />
  </div>`
}

/** `way` leads from the root to the folder that is shown. */
function Contents({ way, onChanged }) {
  const [asked, setAsked] = useState(null)
  const [version, setVersion] = useState(0)
  const again = () => setVersion((before) => before + 1)
  const above = way.slice(0, -1)
  const folder = way.at(-1)
  const { uuid } = folder
  const isRoot = above.length === 0
  const close = () => setAsked(null)
  const done = (text) => {
    close()
    tell(text)
    onChanged()
    again()
  }
  const columns = [
    [
      t('name'),
      (child) =>
        html`<span class="kind"
          ><${Icon} of="folders" /> <a href=${linkTo('folders', child.uuid)}>${child.name}</a></span
        >`,
    ],
    [t('folder.children'), ({ childCount }) => showNumber(childCount), 'number'],
    [t('part.documents'), ({ documentCount }) => showNumber(documentCount), 'number'],
    [t('createdAt'), ({ created_at: createdAt }) => showTime(createdAt), 'time'],
  ]
  return html`<${Way} part="folders" above=${above} />
    <${Head} title=${folder.name}>
      <button type="button" class="primary" onClick=${() => setAsked('new')}>
        ${t('folder.new')}
      </button>
      ${
        isSuperAdmin() &&
        html`<${More}
          of=${folder.name}
          deeds=${[
            [t('rename'), () => setAsked('rename')],
            !isRoot && [t('folder.move'), () => setAsked('move')],
            [
              t(isRoot ? 'folder.deleteRoot' : 'delete'),
              () => setAsked(isRoot ? 'root' : 'delete'),
              'danger',
            ],
          ].filter(Boolean)}
        />`
      }
    <//>
    <h2>${t('folder.children')}</h2>
    <${ListOf}
      label=${t('folder.children')}
      question=${(query, signal) => get(`/folders/${uuid}/children`, query, signal)}
      columns=${columns}
      several=${isSuperAdmin() && severalFolders(way)}
      version=${version}
      empty=${t('folder.empty')}
    />
    <h2>${t('part.documents')}</h2>
    <${Files} folder=${folder} version=${version} onDone=${again} />
    ${
      (asked === 'new' || asked === 'rename') &&
      html`<${NameDialog}
        title=${t(asked === 'new' ? 'folder.new' : 'rename')}
        first=${asked === 'new' ? '' : folder.name}
        deed=${(name) => (asked === 'new' ? post('/folders', { name, parentUuid: uuid }) : patch(`/folders/${uuid}`, { name }))}
        onClose=${close}
        onDone=${() => done(t('saved'))}
      />`
    }
    ${
      asked === 'move' &&
      html`<${MoveFolder}
        folders=${[folder]}
        root=${way[0]}
        deed=${(parent) => moveInto(parent)(folder)}
        onClose=${close}
        onDone=${() => done(t('folder.moved', { name: folder.name }))}
      />`
    }
    ${
      asked === 'delete' &&
      html`<${Confirm}
        title=${t('folder.delete')}
        text=${t('folder.delete.text', { name: folder.name })}
        label=${t('delete')}
        deed=${() => del(`/folders/${uuid}`)}
        onClose=${close}
        onDone=${() => {
          tell(t('deleted'), 'good', () => restore(folder))
          goTo('folders', above.at(-1).uuid)
        }}
      />`
    }
    ${asked === 'root' && html`<${DeleteRoot} folder=${folder} onClose=${close} />`}`
}

const moveInto =
  (parent) =>
  ({ uuid }) =>
    post(`/folders/${uuid}/move`, { parentUuid: parent.uuid })

/** What can be done with several that lie in the same one, to which `way` leads. */
const severalFolders = (way) => ({
  nameOf: ({ name }) => name,
  deeds: [
    {
      words: t('folder.move'),
      with: ({ things, onClose, onChosen }) =>
        html`<${MoveFolder}
          folders=${things}
          root=${way[0]}
          deed=${async (parent) => moveInto(parent)}
          onClose=${onClose}
          onDone=${onChosen}
        />`,
      back: moveInto(way.at(-1)),
    },
    {
      words: t('delete'),
      kind: 'danger',
      each: ({ uuid }) => del(`/folders/${uuid}`),
      back: ({ uuid }) => post(`/folders/${uuid}/restore`),
    },
  ],
})

async function restore({ uuid, name }) {
  await post(`/folders/${uuid}/restore`)
  goTo('folders', uuid)
  return t('folder.restored', { name })
}

/** Goes down from the root until it has found where the folder shall lie. */
function MoveFolder({ folders, root, deed, onClose, onDone }) {
  const [way, setWay] = useState([root])
  const parent = way.at(-1)
  const answer = useAnswer(
    (signal) => get(`/folders/${parent.uuid}/children`, { limit: 100 }, signal),
    [parent.uuid],
  )
  const show = ({ items }) =>
    html`<ul class="things">
      ${items
        .filter(({ uuid }) => folders.every((folder) => folder.uuid !== uuid))
        .map(
          (child) =>
            html`<li key=${child.uuid}>
              <button type="button" class="plain" onClick=${() => setWay([...way, child])}>
                <${Icon} of="folders" />${child.name}
              </button>
            </li>`,
        )}
    </ul>`
  const fields = () =>
    html`<p>${t('folder.move.text', { name: listed(folders.map(({ name }) => name)) })}</p>
      <p class="row">
        ${way.map(
          (step, at) =>
            html`<button
              type="button"
              class="plain"
              aria-current=${step === parent ? 'true' : undefined}
              onClick=${() => setWay(way.slice(0, at + 1))}
            >
              ${step.name}
            </button>`,
        )}
      </p>
      <${Answer} of=${answer} show=${show} />`
  return html`<${FormDialog}
    title=${t('folder.move')}
    label=${t('folder.move.here', { name: parent.name })}
    fields=${fields}
    deed=${() => deed(parent)}
    onClose=${onClose}
    onDone=${onDone}
  />`
}

const Sending = ({ folder, onDone }) =>
  html`<${FileDrop}
      label=${t('folder.drop', { name: folder.name })}
      multiple
      onFiles=${(files) => sendDocuments(files, { folderUuid: folder.uuid, onDone })}
    />
    <${Uploads} folderUuid=${folder.uuid} onDone=${onDone} />`

/** What lies in a folder, and the way to add to it. */
function Files({ folder, version = 0, onDone }) {
  const [own, setOwn] = useState(0)
  const again = () => {
    setOwn((before) => before + 1)
    onDone()
  }
  const columns = [
    [t('name'), ({ filename }) => filename],
    [t('size'), ({ size }) => showBytes(size), 'number'],
    [t('folder.by'), ({ uploadedBy }) => uploadedBy?.name ?? ''],
    [t('createdAt'), ({ createdAt }) => showTime(createdAt), 'time'],
    [
      '',
      (document) =>
        html`<${DocumentButtons} document=${document} isOwn=${document.isOwn} onDone=${again} />`,
    ],
  ]
  return html`<${Sending} folder=${folder} onDone=${again} />
    <${ListOf}
      label=${t('part.documents')}
      place="documents"
      name="documents"
      question=${(query, signal) => get(`/folders/${folder.uuid}/documents`, query, signal)}
      columns=${columns}
      several=${{ ...severalDocuments(({ isOwn }) => isOwn), onDone: again }}
      version=${`${version}/${own}`}
      search
      empty=${t('folder.noDocuments')}
    />`
}
