import { sendForm } from '../core/api.js'
import { sendForFile } from '../core/download.js'
import { formOf } from '../core/forms.js'
import { t } from '../core/language.js'
import { useDeed } from '../core/loading.js'
import { html, useState } from '../core/ui.js'
import { CheckResult } from './check.js'
import { Problem } from './problem.js'

/**
 * What is wrong with the whole file, before anything is loaded; and the file back, with that marked in
 * it. `given` is said of the file; `onChecked` is told what was found. `children` stand before it in its line.
 */
export function CheckFile({ path, file, given, onChecked, children }) {
  const [check, setCheck] = useState(null)
  const { isBusy, problem, attempt } = useDeed()
  const look = async () => {
    const { done, result } = await attempt(() => sendForm(path, formOf(given, file)))
    if (!done) return
    setCheck(result)
    onChecked?.(result)
  }
  const back = () =>
    attempt(() => sendForFile(path, formOf(given, file), `${t('check.back.name')} ${nameOf(file)}`))
  return html`<div class="form">
    <div class="row">
      ${children}
      <button type="button" disabled=${isBusy} onClick=${look}>${t('check')}</button>
      ${
        check &&
        !check.valid &&
        html`<button type="button" disabled=${isBusy} onClick=${back}>${t('check.back')}</button>`
      }
      ${isBusy && html`<span class="soft" role="status">${t('check.looking')}</span>`}
    </div>
    <${Problem} problem=${problem} />
    ${check && html`<${CheckResult} of=${check} />`}
  </div>`
}

const nameOf = ({ name }) =>
  /\.xls[xm]$/i.test(name) ? name : `${name.replace(/\.[^.]+$/, '')}.xlsx`
