import { showPercent, t } from '../core/language.js'
import { asColumn, choicesOf, columnOf, LEFT, NEW, sureOf } from '../core/mapping.js'
import { html } from '../core/ui.js'

const KINDS = {
  name: 'good',
  folded: 'good',
  alias: 'good',
  given: 'good',
  proposed: 'warn',
  new: 'accent',
  left: '',
}

/** What was found out about a header, as an answer; a proposal is one only where it is as good as sure. */
function foundOf({ column, by, confidence, alternatives }) {
  if (by === 'new') return NEW
  if (by === 'left') return LEFT
  if (by !== 'proposed') return asColumn(column)
  return sureOf([{ column, confidence }, ...alternatives]) || ''
}

/** What has to be said: what people chose, and what was proposed and is as good as sure. */
export function mappingOf(found, answers) {
  const said = found.flatMap((met) => {
    const { header, by } = met
    const answer = answers[header] ?? (by === 'proposed' ? foundOf(met) : '')
    return answer === '' ? [] : [[header, columnOf(header, answer)]]
  })
  return Object.fromEntries(said)
}

/** The header of the file that each column gets, as far as it is known. */
export const headersOf = (found, answers) =>
  new Map(
    found.flatMap((met) => {
      const answer = answers[met.header] ?? foundOf(met)
      const column = answer === '' ? null : columnOf(met.header, answer)
      return column === null ? [] : [[column, met.header]]
    }),
  )

/**
 * Each header beside the column that it meets, and why. `answers` are what people chose, by header;
 * what they did not touch is as it was found.
 */
export function Mapping({ mapping, missing, columns, answers, onAnswer }) {
  const without = withoutHeader({ mapping, missing, answers })
  return html`<div class="table-box" role="region" tabindex="0" aria-label=${t('mapping')}>
      <table class="stacked">
        <thead>
          <tr>
            <th scope="col">${t('mapping.header')}</th>
            <th scope="col">${t('mapping.column')}</th>
            <th scope="col">${t('mapping.because')}</th>
          </tr>
        </thead>
        <tbody>
          ${mapping.map((met) => {
            const { header, column, by, because, confidence, alternatives } = met
            const chosen = answers[header] ?? foundOf(met)
            const likely = [
              ...(by === 'new' || by === 'left' ? [] : [column]),
              ...alternatives.map((other) => other.column),
            ]
            const names = [...likely, ...missing, ...columns]
            const kind = answers[header] === undefined ? by : 'given'
            return html`<tr key=${header}>
              <th scope="row">${header}</th>
              <td>
                <select
                  aria-label=${t('mapping.of', { header })}
                  aria-invalid=${chosen === '' ? 'true' : undefined}
                  value=${chosen}
                  onChange=${(event) => onAnswer(header, event.currentTarget.value)}
                >
                  ${choicesOf(names).map(
                    ([value, words]) =>
                      html`<option value=${value} selected=${value === chosen}>${words}</option>`,
                  )}
                </select>
              </td>
              <td class="long">
                <span class=${`tag ${KINDS[kind]}`}>${t(`mappedBy.${kind}`)}</span>
                ${kind === 'proposed' && html` ${showPercent(confidence, 1)}`}
                <span class="small soft"> ${because}</span>
              </td>
            </tr>`
          })}
        </tbody>
      </table>
    </div>
    ${without.length > 0 && html`<p class="soft">${t('mapping.missing', { names: without.join(', ') })}</p>`}`
}

/** The columns that no header meets, as answered so far. */
export function withoutHeader({ mapping, missing, answers }) {
  const met = headersOf(mapping, answers)
  const found = mapping.filter(({ by }) => by !== 'new' && by !== 'left')
  const expected = new Set([...missing, ...found.map(({ column }) => column)])
  return [...expected].filter((name) => !met.has(name))
}
