import { Icon } from '../../components/icon.js'
import { Menu } from '../../components/menu.js'
import { NameDialog } from '../../components/name-dialog.js'
import { tell } from '../../components/toast.js'
import { copyText } from '../../core/clipboard.js'
import { forThisBrowser, keptIn } from '../../core/kept.js'
import { t } from '../../core/language.js'
import { lookAt, route } from '../../core/router.js'
import { session } from '../../core/session.js'
import { html, useRef, useState } from '../../core/ui.js'

/** What of an address says how rows are looked at. */
const PARTS = ['where', 'sort', 'order', 'hide']

const lookOf = (query) => Object.fromEntries(PARTS.map((part) => [part, query[part] ?? '']))
const isAlike = (one, other) => PARTS.every((part) => one[part] === other[part])
const WHOLE = lookOf({})

/** Ways to look at the rows of a source, each with a name: `{ name, look }`, for one person in one browser. */
function useViews(source) {
  const [, setVersion] = useState(0)
  const kept = keptIn(forThisBrowser, `console.views ${session.value.user.uuid} ${source.uuid}`)
  const views = kept.read() ?? []
  const write = (next) => {
    kept.write(next.length === 0 ? null : next)
    setVersion((version) => version + 1)
  }
  return [views, write]
}

/** The views of a source, the one that is looked at, and what can be done with it. */
export function Views({ source }) {
  const [views, write] = useViews(source)
  const [at, setAt] = useState(null)
  const [isKeeping, setKeeping] = useState(false)
  // A press beside the menu closes it, and must not open it again.
  const wasOpen = useRef(false)
  const look = lookOf(route.value.query)
  const current = views.find((view) => isAlike(view.look, look))
  const isWhole = isAlike(look, WHOLE)
  const toggle = ({ currentTarget }) => {
    const { left, bottom } = currentTarget.getBoundingClientRect()
    setAt(wasOpen.current ? null : { x: left, y: bottom })
    wasOpen.current = false
  }
  const keep = (given) => {
    const name = given.trim()
    const others = views.filter((view) => view.name !== name)
    write([...others, { name, look }])
    return name
  }
  const forget = () => {
    write(views.filter((view) => view !== current))
    const undo = () => {
      write(views)
      return t('views.kept', { name: current.name })
    }
    tell(t('views.forgotten', { name: current.name }), 'good', undo)
  }
  const copyLink = async () => {
    if (await copyText(location.href)) tell(t('copied'))
  }
  const chosen = { aside: '✓' }
  const items = [
    [t('views.all'), () => lookAt(WHOLE), isWhole ? chosen : {}],
    ...views.map((view) => [view.name, () => lookAt(view.look), view === current ? chosen : {}]),
    !isWhole && !current && [t('views.keep'), () => setKeeping(true), { isApart: true }],
    !isWhole && [t('views.link'), copyLink, { isApart: Boolean(current) }],
    current && [t('views.forget'), forget],
  ].filter(Boolean)
  return html`<button
      type="button"
      aria-haspopup="menu"
      aria-expanded=${at !== null}
      onPointerDown=${() => {
        wasOpen.current = at !== null
      }}
      onClick=${toggle}
    >
      <${Icon} of="view" /><span class="cut">${current?.name ?? t('views')}</span
      ><${Icon} of="more" />
    </button>
    ${at && html`<${Menu} label=${t('views')} items=${items} at=${at} onClose=${() => setAt(null)} />`}
    ${
      isKeeping &&
      html`<${NameDialog}
        title=${t('views.keepTitle')}
        deed=${async (name) => keep(name)}
        onClose=${() => setKeeping(false)}
        onDone=${(name) => {
          setKeeping(false)
          tell(t('views.kept', { name }))
        }}
      />`
    }`
}
