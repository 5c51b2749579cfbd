import { Frame, NoSuchPage, partsSeen } from './components/frame.js'
import { Problem } from './components/problem.js'
import { Toasts } from './components/toast.js'
import { language, t } from './core/language.js'
import { useAnswer } from './core/loading.js'
import { goTo, route } from './core/router.js'
import { session } from './core/session.js'
import { effect, html, render, useEffect } from './core/ui.js'

/** The file of each screen, by the beginning of its address; it is read when it is first shown. */
const SCREENS = {
  home: () => import('./screens/home.js'),
  sources: () => import('./screens/sources.js'),
  'sources/new': () => import('./screens/new-source.js'),
  'sources/*': () => import('./screens/source.js'),
  collections: () => import('./screens/collections.js'),
  'collections/*': () => import('./screens/collection.js'),
  workflows: () => import('./screens/workflows.js'),
  'workflows/*': () => import('./screens/workflow.js'),
  shapes: () => import('./screens/shapes.js'),
  'shapes/*': () => import('./screens/shape.js'),
  connections: () => import('./screens/connections.js'),
  jobs: () => import('./screens/jobs.js'),
  audit: () => import('./screens/audit.js'),
  documents: () => import('./screens/documents.js'),
  folders: () => import('./screens/folders.js'),
  'folders/*': () => import('./screens/folders.js'),
  enterprises: () => import('./screens/enterprises.js'),
  users: () => import('./screens/users.js'),
  account: () => import('./screens/account.js'),
}
const signIn = () => import('./screens/sign-in.js')

/** Things are named by their uuid. */
const THING = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function screenAt([part, thing]) {
  if (thing === undefined) return part
  return THING.test(thing) ? `${part}/*` : `${part}/${thing}`
}

function Screen({ load, path }) {
  const { data, problem } = useAnswer(load, [load])
  if (problem) {
    return html`<div class="screen">
      <${Problem}
        problem=${{ problem: {}, code: 'Outdated' }}
        askAgain=${() => location.reload()}
      />
    </div>`
  }
  if (!data)
    return html`<div class="screen"><p class="soft loading" role="status">${t('loading')}</p></div>`
  return html`<${data.default} path=${path} />`
}

function Console() {
  const { path } = route.value
  const isSignedIn = session.value !== null
  const isKnown = isSignedIn && partsSeen().includes(path[0]) && SCREENS[screenAt(path)]
  const isAnywhere = path.length === 0
  useEffect(() => {
    if (isSignedIn && isAnywhere) goTo(partsSeen()[0])
  }, [isSignedIn, isAnywhere])
  if (!isSignedIn) return html`<${Screen} load=${signIn} path=${path} />`
  if (isAnywhere) return null
  if (!isKnown)
    return html`<${Frame}
      ><div class="screen"><${NoSuchPage} /></div
    ><//>`
  // A thing has a screen of its own, as another thing of its kind has.
  return html`<${Frame}
    ><${Screen} key=${path.slice(0, 2).join('/')} load=${isKnown} path=${path}
  /><//>`
}

effect(() => {
  document.documentElement.lang = language.value
})

const App = () => html`<${Console} /><${Toasts} />`

render(html`<${App} />`, document.querySelector('#console'))
