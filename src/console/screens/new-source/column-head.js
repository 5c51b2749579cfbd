import { ShowDialog } from '../../components/dialog.js'
import { Facts } from '../../components/facts.js'
import { Check, Choice, TextField } from '../../components/field.js'
import { ColumnPicture, ShareBar } from '../../components/profile.js'
import { hasWords, showNumber, showPercent, t } from '../../core/language.js'
import { html, useMemo, useState } from '../../core/ui.js'
import { profileOf, sharesOf } from './profile-rows.js'

const TYPES = ['text', 'number', 'date', 'boolean', 'json']
const DATE_FORMATS = ['DD/MM/YYYY', 'MM/DD/YYYY', 'YYYY-MM-DD', 'DD-MM-YYYY']

/** What a column was taken for and why, and the way to say otherwise. */
export function ColumnHead({ column, rows, planned, given, onChange, onExamine }) {
  const { name, type, dateFormat } = column
  const profile = useMemo(() => profileOf(rows, { name, type }), [rows, name, type])
  return html`<div class=${planned.isLeft ? 'column-head left-out' : 'column-head'}>
    <strong title=${name}>${planned.name ?? name}</strong>
    <div class="row">
      <select
        aria-label=${t('typeOf', { name })}
        value=${type}
        onChange=${(event) => onChange(changeTo(event.currentTarget.value))}
      >
        ${TYPES.map((other) => html`<option value=${other} selected=${other === type}>${t(`type.${other}`)}</option>`)}
      </select>
      ${
        type === 'date' &&
        html`<select
          aria-label=${t('dateFormatOf', { name })}
          value=${dateFormat ?? ''}
          onChange=${(event) => onChange({ type: 'date', dateFormat: event.currentTarget.value })}
        >
          ${!dateFormat && html`<option value="">${given?.pattern ?? '—'}</option>`}
          ${DATE_FORMATS.map((other) => html`<option value=${other} selected=${other === dateFormat}>${other}</option>`)}
        </select>`
      }
    </div>
    <button type="button" class="plain" onClick=${onExamine} title=${t('evidence')}>
      ${given ? t('givenByYou') : evidenceWords(column)}
    </button>
    <${ColumnPicture} column=${column} profile=${profile} isSmall />
    ${column.evidence && html`<${ShareBar} of=${sharesOf(column)} />`}
  </div>`
}

const changeTo = (type) => ({ type })

/** «98 % dates · 3 blank», in short. */
function evidenceWords({ type, dateFormat, evidence }) {
  if (!evidence) return t('evidence')
  const { sampled, candidates, counterExample, unit, ambiguous } = evidence
  const chosen = candidateFor(candidates, type, dateFormat)
  const parts = []
  if (ambiguous) parts.push(t('ambiguous'))
  if (unit) parts.push(unit)
  if (chosen && type !== 'text') parts.push(showPercent(chosen.accepted, sampled))
  if (counterExample) parts.push(t('exceptions', { count: exceptionsTo(evidence, chosen) }))
  return parts.length > 0 ? parts.join(' · ') : t('evidence')
}

/** What was not taken as the type in question: that of the column, or, of a text, the one it nearly has. */
function exceptionsTo({ sampled, candidates, fallbackParsed }, chosen) {
  const { accepted } = chosen?.type === 'text' ? candidates[0] : (chosen ?? candidates[0])
  return Math.max(1, sampled - accepted - fallbackParsed)
}

const candidateFor = (candidates, type, dateFormat) =>
  candidates.find(
    (candidate) => candidate.type === type && (type !== 'date' || candidate.format === dateFormat),
  ) ?? candidates.find((candidate) => candidate.type === type)

/** The notation of a number; a format of dates is the same in every language. */
const wordsOfNotation = (name) => (hasWords(`notation.${name}`) ? t(`notation.${name}`) : name)
const wordsOfRule = (name) => (hasWords(`nullRule.${name}`) ? t(`nullRule.${name}`) : name)

/** Everything that speaks for and against the type of a column. */
export function EvidenceDialog({
  column,
  rows,
  given,
  planned,
  onPlan,
  onMove,
  onChange,
  onClose,
}) {
  const { name, type, sqlType, column: sqlName, dateFormat, evidence } = column
  const [pattern, setPattern] = useState(given?.pattern ?? '')
  return html`<${ShowDialog} title=${name} onClose=${onClose}>
    <${Facts}
      of=${[
        [t('sqlName'), html`<code>${sqlName}</code>`],
        [t('sqlType'), html`<code>${sqlType}</code>`],
        evidence?.unit && [t('unit'), evidence.unit],
      ]}
    />
    <div class="form-line">
      <${Choice}
        label=${t('type')}
        value=${type}
        choices=${TYPES.map((other) => [other, t(`type.${other}`)])}
        onChange=${(value) => onChange(changeTo(value))}
      />
      ${
        type === 'date' &&
        html`<${Choice}
          label=${t('dateFormat')}
          value=${dateFormat ?? ''}
          choices=${[...(dateFormat ? [] : [['', '—']]), ...DATE_FORMATS.map((other) => [other, other])]}
          onChange=${(value) => value && onChange({ type: 'date', dateFormat: value })}
        />`
      }
      ${
        type === 'date' &&
        html`<${TextField}
            label=${t('pattern')}
            placeholder="d MMM yyyy"
            value=${pattern}
            onInput=${setPattern}
          />
          <button
            type="button"
            onClick=${() => onChange(pattern ? { type: 'date', pattern } : { type: 'date' })}
          >
            ${t('apply')}
          </button>`
      }
      ${given && html`<button type="button" onClick=${() => onChange(null)}>${t('asFound')}</button>`}
    </div>
    <${InTable} name=${name} planned=${planned} onPlan=${onPlan} onMove=${onMove} />
    <section class="form">
      <h3>${t('profile.ofRows', { count: rows.length })}</h3>
      <${ColumnPicture} column=${column} profile=${profileOf(rows, column)} />
      ${evidence && html`<${ShareWords} of=${sharesOf(column)} />`}
    </section>
    ${evidence && html`<${Evidence} evidence=${evidence} />`}
  <//>`
}

/** What is made of the column besides its type. */
function InTable({ name, planned, onPlan, onMove }) {
  return html`<fieldset>
    <legend>${t('plan')}</legend>
    <div class="form-line">
      <${TextField}
        wide
        label=${t('plan.name')}
        maxlength="1024"
        value=${planned.name ?? name}
        onInput=${(text) => onPlan({ name: text === name ? '' : text })}
      />
      <${TextField}
        wide
        label=${t('description')}
        maxlength="1000"
        value=${planned.description ?? ''}
        onInput=${(description) => onPlan({ description })}
      />
    </div>
    <div class="row">
      <${Check}
        label=${t('plan.left')}
        checked=${planned.isLeft ?? false}
        onChange=${(isLeft) => onPlan({ isLeft })}
      />
      <button type="button" onClick=${() => onMove(-1)}>${t('plan.before')}</button>
      <button type="button" onClick=${() => onMove(1)}>${t('plan.behind')}</button>
    </div>
  </fieldset>`
}

const ShareWords = ({ of: shares }) =>
  html`<p class="row small">
    ${shares.map(
      ([kind, share]) =>
        html`<span
          ><span class=${`key ${kind}`}></span>
          ${t(`profile.${kind}`)}${' '}${showPercent(share, 1)}</span
        >`,
    )}
  </p>`

function Evidence({ evidence }) {
  const { sampled, candidates, nulls, fallbackParsed, counterExample, ambiguous } = evidence
  const place = counterExample?.line === undefined ? { row: counterExample?.row } : null
  return html`<div class="form">
    <p>${t('sampled', { count: sampled })}</p>
    ${
      candidates.length > 0 &&
      html`<div class="table-box" tabindex="0" role="region" aria-label=${t('candidates')}>
        <table>
          <thead>
            <tr>
              <th scope="col">${t('type')}</th>
              <th scope="col" class="number">${t('accepted')}</th>
              <th scope="col" class="number">%</th>
            </tr>
          </thead>
          <tbody>
            ${candidates.map(
              (candidate) =>
                html`<tr>
                  <th scope="row">
                    ${t(`type.${candidate.type}`)}${' '}${candidate.format && html`<code>${wordsOfNotation(candidate.format)}</code>`}
                  </th>
                  <td class="number">${showNumber(candidate.accepted)}</td>
                  <td class="number">${showPercent(candidate.accepted, sampled)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`
    }
    ${ambiguous && html`<p class="notice warn">${t('ambiguous.long')}</p>`}
    ${fallbackParsed > 0 && html`<p>${t('fallbackParsed', { count: fallbackParsed })}</p>`}
    ${
      Object.keys(nulls).length > 0 &&
      html`<p>
        ${t('nulls')}${' '}${Object.entries(nulls).map(([rule, count]) => html`<span class="tag">${wordsOfRule(rule)} ${showNumber(count)}</span> `)}
      </p>`
    }
    ${
      counterExample &&
      html`<p>
        ${t('counterExample')}${' '}<code>${counterExample.value}</code>${' '}<span class="soft">
          ${place ? t('atRow', place) : t('atLine', { line: counterExample.line })}</span
        >
      </p>`
    }
  </div>`
}
