import { Choice, TextField } from '../../components/field.js'
import { useRested } from '../../components/list.js'
import { get } from '../../core/api.js'
import { language, showTime, t } from '../../core/language.js'
import { useAnswer } from '../../core/loading.js'
import { html, useState } from '../../core/ui.js'

const EVERY = ['hour', 'day', 'weekday', 'week', 'month', 'cron']
const MONDAY = '1'

const FORMS = [
  ['hour', /^(\d{1,2}) \* \* \* \*$/, ['minute']],
  ['day', /^(\d{1,2}) (\d{1,2}) \* \* \*$/, ['minute', 'hour']],
  ['weekday', /^(\d{1,2}) (\d{1,2}) \* \* 1-5$/, ['minute', 'hour']],
  ['week', /^(\d{1,2}) (\d{1,2}) \* \* ([0-7])$/, ['minute', 'hour', 'weekday']],
  ['month', /^(\d{1,2}) (\d{1,2}) (\d{1,2}) \* \*$/, ['minute', 'hour', 'day']],
]

/** What a cron line says, where people have words for it; `every` is `cron` where they have none. */
function readTimes(cron) {
  for (const [every, pattern, names] of FORMS) {
    const found = pattern.exec(cron.trim())
    if (found)
      return { every, ...Object.fromEntries(names.map((name, at) => [name, found[at + 1]])) }
  }
  return { every: 'cron' }
}

const WRITTEN = {
  hour: ({ minute }) => `${minute} * * * *`,
  day: ({ minute, hour }) => `${minute} ${hour} * * *`,
  weekday: ({ minute, hour }) => `${minute} ${hour} * * 1-5`,
  week: ({ minute, hour, weekday }) => `${minute} ${hour} * * ${weekday}`,
  month: ({ minute, hour, day }) => `${minute} ${hour} ${day} * *`,
}

const FIRST = { minute: '0', hour: '6', weekday: MONDAY, day: '1' }

const clockOf = ({ hour, minute }) => `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`

/** 1 January 2023 was a Sunday. */
const nameOfDay = (day) =>
  new Intl.DateTimeFormat(language.value, { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2023, 0, 1 + (Number(day) % 7))),
  )

/** “each weekday at 07:00”. */
export function wordsOfTimes(cron) {
  const times = readTimes(cron)
  if (times.every === 'cron') return cron
  return t(`times.${times.every}`, {
    minute: times.minute,
    ...(times.hour && { time: clockOf(times) }),
    ...(times.weekday && { weekday: nameOfDay(times.weekday) }),
    ...(times.day && { day: times.day }),
  })
}

/** What is given as a figure, by how often. */
const FIGURES = {
  month: { part: 'day', min: 1, max: 31 },
  hour: { part: 'minute', min: 0, max: 59 },
}

/** When something is done again and again: chosen in words, or as a cron line by whoever wants it. */
export function Times({ cron, onChange, error }) {
  const read = readTimes(cron)
  const [asCron, setAsCron] = useState(false)
  const every = asCron ? 'cron' : read.every
  const figure = FIGURES[every]
  const change = (changes) => onChange(WRITTEN[read.every]({ ...read, ...changes }))
  const choose = (name) => {
    setAsCron(name === 'cron')
    if (name !== 'cron') onChange(WRITTEN[name]({ ...FIRST, ...read }))
  }
  return html`<div class="form-line">
    <${Choice}
      label=${t('schedule.every')}
      value=${every}
      choices=${EVERY.map((name) => [name, t(`schedule.every.${name}`)])}
      onChange=${choose}
    />
    ${
      every === 'week' &&
      html`<${Choice}
        label=${t('schedule.weekday')}
        value=${String(Number(read.weekday) % 7)}
        choices=${['1', '2', '3', '4', '5', '6', '0'].map((day) => [day, nameOfDay(day)])}
        onChange=${(weekday) => change({ weekday })}
      />`
    }
    ${
      figure &&
      html`<${TextField}
        label=${t(`schedule.${figure.part}`)}
        type="number"
        min=${figure.min}
        max=${figure.max}
        required
        value=${read[figure.part]}
        onInput=${(value) => value && change({ [figure.part]: value })}
      />`
    }
    ${
      read.hour !== undefined &&
      every !== 'cron' &&
      html`<${TextField}
        label=${t('schedule.time')}
        type="time"
        required
        value=${clockOf(read)}
        onInput=${(time) => time && change(partsOf(time))}
      />`
    }
    ${
      every === 'cron' &&
      html`<${TextField}
        label=${t('schedule.cron')}
        hint=${t('schedule.cron.hint')}
        class="mono"
        required
        value=${cron}
        onInput=${onChange}
        error=${error}
      />`
    }
  </div>`
}

function partsOf(time) {
  const [hour, minute] = time.split(':').map((part) => String(Number(part)))
  return { hour, minute }
}

/** The next three times, on the clock of whoever looks. */
export function NextRuns({ cron, timezone }) {
  const asked = useRested(JSON.stringify({ cron, timezone }))
  const { data, problem } = useAnswer(
    (signal) => get('/schedules/next-runs', JSON.parse(asked), signal),
    [asked],
  )
  if (problem?.status === 400)
    return html`<p class="field-error" role="status">${problem.message}</p>`
  return html`<p role="status">
    ${data && !problem && html`<span class="soft">${t('schedule.nextRuns')}</span> ${data.runs.map((run) => showTime(run)).join(' · ')}`}
  </p>`
}
