import { t } from '../core/language.js'
import { html } from '../core/ui.js'

const KINDS = {
  READY: 'good',
  enabled: 'good',
  disabled: 'warn',
  LOADING: 'accent',
  FAILED: 'bad',
  ACTIVE: 'good',
  ERROR: 'bad',
  QUEUED: '',
  RUNNING: 'accent',
  SUCCEEDED: 'good',
  CANCELLED: 'warn',
  current: 'good',
  kept: '',
  staged: 'accent',
  gone: '',
  failed: 'bad',
  cancelled: 'warn',
  running: 'accent',
}

/** A state in one word; the colour only repeats it. */
export const State = ({ of: state }) =>
  html`<span class=${`tag ${KINDS[state] ?? ''}`}>${t(`state.${state}`)}</span>`
