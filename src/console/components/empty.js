import { html } from '../core/ui.js'
import { Icon } from './icon.js'

/** Nothing is there: a table without rows, the place of what is missing, and what one does about it. */
export const Empty = ({ of: place = 'sheet', role = 'status', children }) =>
  html`<div class="empty" role=${role}>
    <div class="empty-picture" aria-hidden="true">
      <svg viewBox="0 0 160 96" focusable="false">
        <rect x="8.5" y="8.5" width="143" height="79" rx="6" />
        <path d="M8.5 28.5h143M8.5 48.5h143M8.5 68.5h143M56.5 8.5v79M104.5 8.5v79" />
        <circle cx="80" cy="48" r="27" />
      </svg>
      <${Icon} of=${place} />
    </div>
    ${children}
  </div>`
