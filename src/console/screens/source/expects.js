import { Answer } from '../../components/answer.js'
import { FormDialog } from '../../components/dialog.js'
import { Choice } from '../../components/field.js'
import { NameField } from '../../components/name-field.js'
import { ShapeEditor } from '../../components/shape-editor.js'
import { tell, tellProblem } from '../../components/toast.js'
import { get, patch, post } from '../../core/api.js'
import { t } from '../../core/language.js'
import { useAnswer } from '../../core/loading.js'
import { linkTo } from '../../core/router.js'
import { isSuperAdmin } from '../../core/session.js'
import { html, useState } from '../../core/ui.js'

/** What the files of a source are expected to look like: its own shape, or one that several share. */
export function Expects({ source, onChanged }) {
  const path = `/sources/${source.uuid}/shape`
  const answer = useAnswer((signal) => get(path, {}, signal), [source.uuid])
  const [open, setOpen] = useState(null)
  const close = () => setOpen(null)
  const changed = () => {
    close()
    void answer.askAgain()
    onChanged()
  }
  const done = () => {
    tell(t('saved'))
    changed()
  }
  const unshare = async () => {
    try {
      await share(null)
      done()
    } catch (problem) {
      tellProblem(problem)
    }
  }
  const share = (shapeUuid) => patch(`/sources/${source.uuid}`, { shapeUuid })
  const show = (shape) =>
    html`<div class="row">
        <p class="grow">
          ${
            shape.name === null
              ? t('shape.own')
              : html`${t('shape.shared')}${' '}<a href=${linkTo('shapes', shape.uuid)}
                    >${shape.name}</a
                  >`
          }
        </p>
        ${
          shape.name === null
            ? html`<button type="button" onClick=${() => setOpen('share')}>
                  ${t('shape.share')}
                </button>
                <button type="button" onClick=${() => setOpen('use')}>${t('shape.use')}</button>`
            : html`<button type="button" onClick=${unshare}>${t('shape.unshare')}</button>`
        }
      </div>
      <${ShapeEditor} shape=${shape} path=${path} sourceUuid=${source.uuid} onChanged=${changed} />
      ${
        open === 'share' &&
        html`<${ShareDialog}
          source=${source}
          shape=${shape}
          share=${share}
          onClose=${close}
          onDone=${done}
        />`
      }
      ${open === 'use' && html`<${UseDialog} share=${share} onClose=${close} onDone=${done} />`}`
  return html`<${Answer} of=${answer} show=${show} />`
}

/** Makes a shape of this source's own, which other sources may have too. */
function ShareDialog({ source, shape, share, onClose, onDone }) {
  const [name, setName] = useState(source.name)
  const deed = async () => {
    const { enterpriseId } = shape
    const given = {
      name: name.trim(),
      fromSource: source.uuid,
      ...(isSuperAdmin() && { enterpriseId }),
    }
    const { uuid } = await post('/shapes', given)
    return share(uuid)
  }
  return html`<${FormDialog}
    title=${t('shape.share')}
    fields=${(errorAt) =>
      html`<p>${t('shape.share.text')}</p>
        <${NameField} value=${name} onInput=${setName} errorAt=${errorAt} />`}
    deed=${deed}
    onClose=${onClose}
    onDone=${onDone}
  />`
}

function UseDialog({ share, onClose, onDone }) {
  const [uuid, setUuid] = useState('')
  const { data } = useAnswer((signal) => get('/shapes', { limit: 100 }, signal), [])
  const shapes = data?.items ?? []
  const fields = () =>
    data && shapes.length === 0
      ? html`<p>${t('shapes.empty')}</p>`
      : html`<${Choice}
          label=${t('shape')}
          value=${uuid}
          choices=${[['', t('question.choose')], ...shapes.map((shape) => [shape.uuid, shape.name])]}
          onChange=${setUuid}
        />`
  return html`<${FormDialog}
    title=${t('shape.use')}
    isReady=${uuid !== ''}
    fields=${fields}
    deed=${() => share(uuid)}
    onClose=${onClose}
    onDone=${onDone}
  />`
}
