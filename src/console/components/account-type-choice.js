import { t } from '../core/language.js'
import { html } from '../core/ui.js'
import { Choice } from './field.js'

const ACCOUNT_TYPES = ['enterprise', 'personal']

export const AccountTypeChoice = (given) =>
  html`<${Choice}
    ...${given}
    label=${t('accountType')}
    choices=${ACCOUNT_TYPES.map((type) => [type, t(`accountType.${type}`)])}
  />`
