import { Answer } from '../components/answer.js'
import { Head } from '../components/frame.js'
import { NameDialog } from '../components/name-dialog.js'
import { ShapeEditor } from '../components/shape-editor.js'
import { Way } from '../components/way.js'
import { get, patch } from '../core/api.js'
import { t } from '../core/language.js'
import { useAnswer } from '../core/loading.js'
import { html, useState } from '../core/ui.js'

/** One shape that sources share. */
export default function ShapeScreen({ path: [, uuid] }) {
  const path = `/shapes/${uuid}`
  const answer = useAnswer((signal) => get(path, {}, signal), [uuid])
  const [renames, setRenames] = useState(false)
  const show = (shape) =>
    html`<${Head} title=${shape.name} about=${t('shapes.about')}>
        <button type="button" onClick=${() => setRenames(true)}>${t('rename')}</button>
      <//>
      <${ShapeEditor} shape=${shape} path=${path} onChanged=${answer.askAgain} />
      ${
        renames &&
        html`<${NameDialog}
          title=${t('rename')}
          first=${shape.name}
          deed=${(name) => patch(path, { name })}
          onClose=${() => setRenames(false)}
          onDone=${() => {
            setRenames(false)
            void answer.askAgain()
          }}
        />`
      }`
  return html`<div class="screen">
    <${Way} part="shapes" />
    <${Answer} of=${answer} thing=${uuid} show=${show} />
  </div>`
}
