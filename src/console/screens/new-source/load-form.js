import { CheckFile } from '../../components/check-file.js'
import { EnterpriseChoice } from '../../components/enterprise-choice.js'
import { Choice, TextField } from '../../components/field.js'
import { NameField } from '../../components/name-field.js'
import { LongWork, useLongWork } from '../../components/long-work.js'
import { Problem } from '../../components/problem.js'
import { tell, tellProblem } from '../../components/toast.js'
import { takes } from '../../core/formats.js'
import { t } from '../../core/language.js'
import { useDeed } from '../../core/loading.js'
import { orAskAgain } from '../../core/mapping.js'
import { goTo } from '../../core/router.js'
import { choosesEnterprise } from '../../core/session.js'
import { html, useEffect, useRef } from '../../core/ui.js'
import { isLarge } from './ask-preview.js'
import { beginLoad, POLICIES } from './begin-load.js'
import { dropDraft, useSaid } from './drafts.js'
import { ShapeChoice, ShapeHeaders, useShape } from './shape-choice.js'
import { sendMends } from './mends.js'
import { applyPlan, isPlanned } from './planned-columns.js'

/** The name of the table, what to do about cells that do not fit, and the loading itself. */
export function LoadForm({ draft, options, columns, mends, plan, onTake, onRefused, onRemedy }) {
  const [name, setName] = useSaid(draft, 'name', draft.name)
  const [tableName, setTableName] = useSaid(draft, 'tableName', draft.tableName)
  const [enterpriseId, setEnterpriseId] = useSaid(draft, 'enterpriseId', '')
  const work = useLongWork()
  const { isBusy, problem, errorAt, attempt } = useDeed()
  const isShown = useRef(true)
  useEffect(
    () => () => {
      isShown.current = false
    },
    [],
  )
  const expects = useShape(draft, options, columns)
  const asksEnterprise = choosesEnterprise() && draft.origin.kind !== 'resource'

  /** Cells are named by their columns, which a shape calls otherwise than the file may. */
  const refuse = (errors) =>
    onRefused(
      errors.map((error) => ({
        ...error,
        column: expects.headers.get(error.column) ?? error.column,
      })),
    )
  const hasLines = takes(draft.seen?.typed.format, 'headerRow')
  const columnsByHeader = new Map([...expects.headers].map(([column, header]) => [header, column]))
  const mendsByColumn = mends.map((mend) => ({
    ...mend,
    column: columnsByHeader.get(mend.column) ?? mend.column,
  }))
  /** How the file is taken; what was mended is sent for the rows that are set aside. */
  const readAs = ({ options: read, columns: typed }) => ({
    ...expects.given,
    options: {
      ...read,
      onInvalid: mends.length > 0 ? 'skip' : read.onInvalid,
      ...(typed.length > 0 && { columns: typed }),
    },
  })
  const load = async (said) => {
    onRefused([])
    const given = {
      name: name.trim(),
      tableName: tableName.trim(),
      ...(asksEnterprise && enterpriseId !== '' && { enterpriseId: Number(enterpriseId) }),
      ...readAs(said),
    }
    const { done, result } = await attempt(async () => {
      try {
        const { shape } = expects
        const loaded = await orAskAgain(
          () => expects.met.askAgain(),
          () => work.run((sending) => beginLoad(draft, given, { ...sending, shape })),
        )
        const whole = mends.length > 0 ? await mended(loaded) : loaded
        if (isPlanned(plan) && expects.shapeUuid === '') {
          await applyPlan(whole, plan).catch(tellProblem)
        }
        return whole
      } catch (error) {
        refuse((error.problem?.errors ?? []).filter(({ row }) => row !== undefined))
        throw error
      }
    })
    if (!done) return
    tell(t('newSource.done', { name: result.name }))
    dropDraft(draft.id)
    // Whoever has gone on to something else stays there.
    if (isShown.current) goTo('sources', result.uuid)
  }
  /** The table is there: what becomes of its corrections is seen among its rejects. */
  const mended = async (loaded) => {
    try {
      const sending = await sendMends(loaded, mendsByColumn, hasLines)
      return sending === null ? loaded : await work.run(sending)
    } catch (error) {
      tellProblem(error)
      return loaded
    }
  }
  const submit = (event) => {
    event.preventDefault()
    return load({ options, columns })
  }
  const begin = html`<button type="submit" class="primary" disabled=${isBusy}>
    ${t('newSource.load')}
  </button>`
  return html`<form class="panel" onSubmit=${submit} aria-label=${t('newSource.load')}>
    <div class="form-line">
      <${NameField} wide value=${name} onInput=${setName} errorAt=${errorAt} />
      <${TextField}
        wide
        label=${t('tableName')}
        class="mono"
        required
        pattern="\\s*[a-z_][a-z0-9_]{0,62}\\s*"
        title=${t('tableName.hint')}
        value=${tableName}
        onInput=${setTableName}
        error=${errorAt('/tableName')}
      />
      ${asksEnterprise && html`<${EnterpriseChoice} value=${enterpriseId} onChange=${setEnterpriseId} error=${errorAt('/enterpriseId')} />`}
      <${ShapeChoice} of=${expects} />
      <${Choice}
        label=${t('onInvalid')}
        value=${options.onInvalid}
        choices=${POLICIES.map((policy) => [policy, t(`onInvalid.${policy}`)])}
        onChange=${(value) => onTake({ onInvalid: value })}
      />
    </div>
    <${ShapeHeaders} of=${expects} />
    ${expects.shapeUuid !== '' && isPlanned(plan) && html`<p class="notice warn">${t('plan.notShared')}</p>`}
    ${mends.length > 0 && html`<p class="small">${t('newSource.mended', { count: mends.length })}</p>`}
    ${
      draft.origin.kind === 'file' && !isLarge(draft.origin.file)
        ? html`<${CheckFile}
            key=${JSON.stringify(readAs({ options, columns }))}
            path="/sources/check"
            file=${draft.origin.file}
            given=${readAs({ options, columns })}
            onChecked=${({ errors }) => refuse(errors)}
            >${begin}<//
          >`
        : html`<div class="row">${begin}</div>`
    }
    <${LongWork} of=${work} label=${t('newSource.loading')} onCancel=${work.stop} />
    ${isBusy && !work.sent && !work.job && html`<p class="soft loading" role="status">${t('loading')}</p>`}
    <${Problem} problem=${problem} onRemedy=${(remedy) => load(onRemedy(remedy))} />
  </form>`
}
