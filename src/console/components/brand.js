import { t } from '../core/language.js'
import { html } from '../core/ui.js'

/** The product: its mark, which is that of the tab as well, and its name. */
export const Brand = () =>
  html`<p class="brand">
    <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" />
      <path d="M7 9h18v3H7zm0 6h8v3H7zm10 0h8v3h-8zM7 21h8v3H7zm10 0h8v3h-8z" />
    </svg>
    ${t('product')}
  </p>`
