import { FormDialog } from '../../components/dialog.js'
import { EnterpriseChoice } from '../../components/enterprise-choice.js'
import { Choice, TextField } from '../../components/field.js'
import { LongWork, useLongWork } from '../../components/long-work.js'
import { tell } from '../../components/toast.js'
import { t } from '../../core/language.js'
import { goTo } from '../../core/router.js'
import { choosesEnterprise } from '../../core/session.js'
import { html, useState } from '../../core/ui.js'
import { beginLoad, POLICIES } from './begin-load.js'
import { dropDraft, tableNameFor } from './drafts.js'

/** Each chosen sheet becomes a source of its own, one after the other. */
export function SheetsDialog({ draft, sheets, sizes, onInvalid, onClose }) {
  const [rows, setRows] = useState(() =>
    sheets.map(({ name, state }) => ({
      sheet: name,
      isChosen: state === 'visible' && sizes[name] !== null,
      name: `${draft.name} ${name}`,
      tableName: tableNameFor(`${draft.name} ${name}`),
      isDone: false,
    })),
  )
  const [policy, setPolicy] = useState(onInvalid)
  const [enterpriseId, setEnterpriseId] = useState('')
  const [current, setCurrent] = useState(null)
  const work = useLongWork()
  const set = (at, change) => setRows((before) => before.with(at, { ...before[at], ...change }))
  const isWanted = ({ isChosen, isDone }) => isChosen && !isDone
  const asksEnterprise = choosesEnterprise()
  // What was loaded before one of them was refused is not loaded again.
  const deed = async () => {
    for (const [at, row] of rows.entries()) {
      if (!isWanted(row)) continue
      setCurrent(at)
      const given = {
        name: row.name.trim(),
        tableName: row.tableName.trim(),
        ...(asksEnterprise && enterpriseId !== '' && { enterpriseId: Number(enterpriseId) }),
        options: { sheet: row.sheet, onInvalid: policy },
      }
      await work.run((sending) => beginLoad(draft, given, sending))
      set(at, { isDone: true })
    }
  }
  const fields = (errorAt) =>
    html`<p>${t('sheets.several.text')}</p>
      <ul class="form" aria-label=${t('sheets')}>
        ${rows.map(
          ({ sheet, isChosen, isDone, name, tableName }, at) =>
            html`<li class="form-line">
              <label class="check"
                ><input
                  type="checkbox"
                  checked=${isChosen}
                  disabled=${isDone}
                  onChange=${(event) => set(at, { isChosen: event.currentTarget.checked })}
                />
                ${sheet}
                <span class="small soft"
                  >${isDone ? t('sheets.done') : sizeWords(sizes[sheet])}</span
                ></label
              >
              ${
                isChosen &&
                !isDone &&
                html`<${TextField}
                    wide
                    label=${t('name')}
                    required
                    maxlength="255"
                    value=${name}
                    onInput=${(value) => set(at, { name: value })}
                    error=${at === current && errorAt('/name')}
                  />
                  <${TextField}
                    wide
                    class="mono"
                    label=${t('tableName')}
                    required
                    pattern="\\s*[a-z_][a-z0-9_]{0,62}\\s*"
                    title=${t('tableName.hint')}
                    value=${tableName}
                    onInput=${(value) => set(at, { tableName: value })}
                    error=${at === current && errorAt('/tableName')}
                  />`
              }
            </li>`,
        )}
      </ul>
      <div class="form-line">
        ${asksEnterprise && html`<${EnterpriseChoice} value=${enterpriseId} onChange=${setEnterpriseId} error=${errorAt('/enterpriseId')} />`}
        <${Choice}
          label=${t('onInvalid')}
          value=${policy}
          choices=${POLICIES.map((name) => [name, t(`onInvalid.${name}`)])}
          onChange=${setPolicy}
        />
      </div>
      <${LongWork}
        of=${work}
        label=${current === null ? '' : rows[current].sheet}
        onCancel=${work.stop}
      />`
  const count = rows.filter(isWanted).length
  return html`<${FormDialog}
    wide
    title=${t('sheets.several')}
    label=${t('sheets.load', { count })}
    isReady=${count > 0}
    fields=${fields}
    deed=${deed}
    onStop=${work.stop}
    onClose=${onClose}
    onDone=${() => {
      tell(t('sheets.loaded', { count: rows.filter(({ isDone }) => isDone).length || count }))
      dropDraft(draft.id)
      goTo('sources')
    }}
  />`
}

/** Undefined: nobody knows yet; null: nothing could be read. */
export function sizeWords(size) {
  if (size === undefined) return '…'
  if (size === null) return t('sheets.none')
  return t(size.isAll ? 'sheets.rows' : 'sheets.rowsAtLeast', { count: size.rows })
}
