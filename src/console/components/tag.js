import { t } from '../core/language.js'
import { html } from '../core/ui.js'
import { Icon } from './icon.js'

/** What each state means: its colour, and what is drawn beside it. Nothing is lost in any of them. */
const KINDS = {
  READY: ['good', 'good'],
  enabled: ['good', 'good'],
  disabled: ['', 'none'],
  LOADING: ['accent', 'accent'],
  FAILED: ['warn', 'warn'],
  ACTIVE: ['good', 'good'],
  ERROR: ['warn', 'warn'],
  UNREACHABLE: ['warn', 'warn'],
  QUEUED: ['', 'waits'],
  RUNNING: ['accent', 'accent'],
  SUCCEEDED: ['good', 'good'],
  CANCELLED: ['', 'none'],
  current: ['good', 'good'],
  kept: ['', 'kept'],
  staged: ['accent', 'waits'],
  gone: ['', 'none'],
  failed: ['warn', 'warn'],
  cancelled: ['', 'none'],
  running: ['accent', 'accent'],
  awaited: ['', 'waits'],
  refused: ['warn', 'warn'],
  received: ['accent', 'waits'],
  accepted: ['good', 'good'],
}

/** A state in one word; colour and picture only repeat it. */
export function State({ of: state }) {
  const [colour, drawn] = KINDS[state] ?? ['', 'none']
  return html`<span class=${`tag ${colour}`}><${Icon} of=${drawn} />${t(`state.${state}`)}</span>`
}
