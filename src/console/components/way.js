import { t } from '../core/language.js'
import { linkTo } from '../core/router.js'
import { html } from '../core/ui.js'

/** The way back: the list that a thing stands in, and what lies above it. */
export const Way = ({ part, above = [] }) =>
  html`<nav class="way small" aria-label=${t('way')}>
    <a href=${linkTo(part)}>${t(`part.${part}`)}</a>
    ${above.map(({ uuid, name }) => html` / <a href=${linkTo(part, uuid)}>${name}</a>`)}
  </nav>`
