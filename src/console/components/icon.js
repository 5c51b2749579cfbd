import { html } from '../core/ui.js'

/**
 * Drawn for this console, in a square of 16 with a line of 1.5: places, kinds, states and deeds.
 * Its colour is that of the text around it.
 */
const DRAWN = {
  // Places
  home: 'M2.5 7.5 8 2.5l5.5 5M4 6.5v7h3v-4h2v4h3v-7',
  sources: 'M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.6h11M6.5 6.3V13',
  workflows: 'M2.5 2.5h4v4h-4zM9.5 9.5h4v4h-4zM4.5 6.5v5h5',
  connections: 'M6 2.5v3M10 2.5v3M4 5.5h8V8a4 4 0 0 1-8 0zM8 12v2',
  shapes: 'M2.5 5.5 8 2.5l5.5 3v5L8 13.5l-5.5-3zM2.5 5.5 8 8.5l5.5-3M8 8.5v5',
  collections: 'M2.5 8.5 4 3h8l1.5 5.5V13h-11zM2.5 8.5H6l1 2h2l1-2h3.5',
  jobs: 'M1.5 8h3l2-5 3 10 2-5h3',
  audit: 'M3 3.5h10M3 7h10M3 10.5h4M8.5 11l1.7 1.8L13.5 9',
  documents: 'M4 2h5l3.5 3.5V14H4zM9 2v3.5h3.5',
  folders: 'M2 4h4l1.5 2H14v7H2z',
  enterprises: 'M3 14V2.5h6V14M9 6.5h4V14M2 14h12M5 5.5h2M5 8.5h2M5 11.5h2',
  users:
    'M6 7.5A2.2 2.2 0 1 0 6 3a2.2 2.2 0 0 0 0 4.5ZM1.8 13.5c0-2.5 1.7-4 4.2-4s4.2 1.5 4.2 4M10.5 3.2a2.2 2.2 0 0 1 0 4.1M12 9.8c1.4.6 2.2 1.9 2.2 3.7',
  account:
    'M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8ZM2.8 14c0-2.9 2.1-4.5 5.2-4.5s5.2 1.6 5.2 4.5',
  // Kinds
  text: 'M4 2h5l3.5 3.5V14H4zM6 8h4.5M6 10.5h4.5',
  sheet: 'M2.5 2.5h11v11h-11zM2.5 6h11M2.5 9.5h11M6 2.5v11M10 2.5v11',
  braces:
    'M6 2.5c-2 0-2 1-2 2.5s0 2.5-1.5 3C4 8.5 4 9.5 4 11s0 2.5 2 2.5M10 2.5c2 0 2 1 2 2.5s0 2.5 1.5 3c-1.5.5-1.5 1.5-1.5 3s0 2.5-2 2.5',
  tags: 'M5 4 1.5 8 5 12M11 4l3.5 4L11 12M9 3 7 13',
  columns: 'M2.5 2.5h3v11h-3zM6.5 2.5h3v11h-3zM10.5 2.5h3v11h-3z',
  form: 'M3.5 2.5h9v11h-9zM6 6h.01M8 6h2.5M6 8.5h.01M8 8.5h2.5M6 11h.01M8 11h2.5',
  // States
  good: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM5.5 8.2l1.8 1.8 3.4-3.8',
  warn: 'M8 2.5 14.2 13.5H1.8zM8 6.5v3M8 11.5h.01',
  accent: 'M8 2a6 6 0 1 1-5.2 3',
  waits: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 5v3.2l2 1.3',
  kept: 'M2.5 3h11v3h-11zM3.5 6v7.5h9V6M6.5 8.5h3',
  none: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM5.5 8h5',
  // Deeds
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  more: 'M5 6.5 8 9.5l3-3',
  dots: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  aside: 'M6.5 5 9.5 8l-3 3',
  close: 'M4 4l8 8M12 4l-8 8',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  view: 'M4.5 2.5h7v11L8 10.5l-3.5 3z',
  upload: 'M8 11V3M4.5 6 8 2.5 11.5 6M2.5 13.5h11',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.3 10.3l3.4 3.4',
}

export const isDrawn = (name) => Object.hasOwn(DRAWN, name)

/** Without words beside it, `words` is what is read out. */
export const Icon = ({ of: name, words }) =>
  html`<svg
    class="icon"
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    stroke-linecap="round"
    stroke-linejoin="round"
    role=${words ? 'img' : undefined}
    aria-label=${words}
    aria-hidden=${words ? undefined : 'true'}
    focusable="false"
  >
    <path d=${DRAWN[name]} />
  </svg>`
