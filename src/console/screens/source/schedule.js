import { Answer } from '../../components/answer.js'
import { Confirm } from '../../components/dialog.js'
import { Check, TextField } from '../../components/field.js'
import { Facts } from '../../components/facts.js'
import { Problem } from '../../components/problem.js'
import { State } from '../../components/tag.js'
import { tell } from '../../components/toast.js'
import { del, get, isAbsent, put } from '../../core/api.js'
import { showNumber, showTime, t } from '../../core/language.js'
import { useAnswer, useDeed } from '../../core/loading.js'
import { html, useEffect, useState } from '../../core/ui.js'
import { NextRuns, Times, wordsOfTimes } from './times.js'

const UNSET = {
  cron: '0 6 * * *',
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC',
  publish: true,
  maxRowsLostPercent: 50,
}

/** Again and again, without anybody: when, and what must not happen unseen. */
export function Schedule({ source }) {
  const path = `/sources/${source.uuid}/schedule`
  const answer = useAnswer(
    async (signal) => {
      try {
        return { schedule: await get(path, {}, signal) }
      } catch (error) {
        if (error.status === 404 && !isAbsent(error)) return { schedule: null }
        throw error
      }
    },
    [source.uuid],
  )
  const show = ({ schedule }) =>
    html`<${ScheduleForm} path=${path} schedule=${schedule} onChanged=${answer.askAgain} />`
  return html`<${Answer} of=${answer} show=${show} />`
}

function ScheduleForm({ path, schedule, onChanged }) {
  const [given, setGiven] = useState(UNSET)
  const [asks, setAsks] = useState(false)
  const { isBusy, problem, errorAt, attempt } = useDeed()
  useEffect(() => setGiven({ ...UNSET, ...schedule }), [schedule])
  const set = (name) => (value) => setGiven((before) => ({ ...before, [name]: value }))
  const submit = async (event) => {
    event.preventDefault()
    const { cron, timezone, publish, maxRowsLostPercent } = given
    const body = { cron, timezone, publish, maxRowsLostPercent }
    const { done } = await attempt(() => put(path, body))
    if (done) {
      tell(t('saved'))
      onChanged()
    }
  }
  return html`<form class="panel" onSubmit=${submit}>
    <p>${schedule ? t('schedule.set') : t('schedule.none')}</p>
    ${schedule && html`<${Facts} of=${factsOf(schedule)} />`}
    <${Times} cron=${given.cron} onChange=${set('cron')} error=${errorAt('/cron')} />
    <${NextRuns} cron=${given.cron} timezone=${given.timezone} />
    <div class="form-line">
      <${TextField}
        label=${t('timezone')}
        required
        value=${given.timezone}
        onInput=${set('timezone')}
        error=${errorAt('/timezone')}
      />
      <${TextField}
        label=${t('schedule.lost')}
        type="number"
        min="0"
        max="100"
        value=${given.maxRowsLostPercent}
        onInput=${(text) => set('maxRowsLostPercent')(Number(text))}
        error=${errorAt('/maxRowsLostPercent')}
      />
    </div>
    <${Check} label=${t('schedule.publish')} checked=${given.publish} onChange=${set('publish')} />
    <${Problem} problem=${problem} />
    <div class="row">
      <button type="submit" class="primary" disabled=${isBusy}>${t('save')}</button>
      ${schedule && html`<button type="button" onClick=${() => setAsks(true)}>${t('schedule.end')}</button>`}
    </div>
    ${
      asks &&
      html`<${Confirm}
        title=${t('schedule.end')}
        text=${t('schedule.end.text')}
        label=${t('schedule.end')}
        deed=${() => del(path)}
        onClose=${() => setAsks(false)}
        onDone=${onChanged}
      />`
    }
  </form>`
}

/** When it runs next, and how the last run ended; what came of it stands among the loads. */
const factsOf = ({ cron, timezone, nextRunAt, lastRun, failures }) => [
  [t('schedule.cron'), `${wordsOfTimes(cron)} · ${timezone}`],
  [t('schedule.next'), showTime(nextRunAt)],
  lastRun && [
    t('schedule.last'),
    html`<${State}
        of=${lastRun.status}
      />${' '}${showTime(lastRun.finishedAt ?? lastRun.startedAt)}`,
  ],
  failures > 0 && [t('schedule.failures'), showNumber(failures)],
]
