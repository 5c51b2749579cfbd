import { runJob } from '../core/jobs.js'
import { t } from '../core/language.js'
import { html, useState } from '../core/ui.js'
import { Confirm, FormDialog } from './dialog.js'
import { Choice } from './field.js'

const NEW = 'new'
const LEFT = 'left'
const OF_COLUMN = 'column:'
/** What is as good as certain is chosen beforehand; anything else a person has to choose. */
const SURE = 0.9

/** Publishes a load that waits; where it has questions, they are answered here. */
export function PublishLoad({ source, load, onClose, onDone }) {
  const path = `/sources/${source.uuid}/loads/${load.uuid}/publish`
  const title = t('load.publish')
  if (load.questions.length === 0) {
    return html`<${Confirm}
      title=${title}
      text=${t('load.publish.text', { number: load.number })}
      label=${title}
      deed=${() => runJob(path)}
      onClose=${onClose}
      onDone=${onDone}
    />`
  }
  return html`<${Questions}
    load=${load}
    path=${path}
    title=${title}
    onClose=${onClose}
    onDone=${onDone}
  />`
}

function Questions({ load, path, title, onClose, onDone }) {
  const asked = load.questions.filter(({ header }) => header !== undefined)
  const [answers, setAnswers] = useState(() =>
    Object.fromEntries(asked.map(({ header, proposals }) => [header, sureOf(proposals)])),
  )
  const mapping = Object.fromEntries(
    Object.entries(answers).map(([header, answer]) => [header, columnOf(header, answer)]),
  )
  const fields = () =>
    html`<p>${t('question.text')}</p>
      ${load.questions.map((question) =>
        question.header === undefined
          ? html`<p class="soft">${t('question.missing', { name: question.column })}</p>`
          : html`<${Choice}
              label=${t('question.header', { name: question.header })}
              hint=${question.proposals[0]?.because}
              value=${answers[question.header]}
              choices=${choicesOf(question, load)}
              onChange=${(answer) => setAnswers({ ...answers, [question.header]: answer })}
            />`,
      )}`
  return html`<${FormDialog}
    title=${title}
    label=${title}
    isReady=${Object.values(answers).every((answer) => answer !== '')}
    fields=${fields}
    deed=${() => runJob(path, { mapping })}
    onClose=${onClose}
    onDone=${(result) => {
      onClose()
      onDone(result)
    }}
  />`
}

function sureOf([best]) {
  return best && best.confidence >= SURE ? `${OF_COLUMN}${best.column}` : ''
}

function columnOf(header, answer) {
  if (answer === NEW) return header
  return answer === LEFT ? null : answer.slice(OF_COLUMN.length)
}

/** The proposals, then whatever else has no header. */
function choicesOf({ proposals }, { missing }) {
  const columns = new Set([...proposals.map(({ column }) => column), ...missing])
  return [
    ['', t('question.choose')],
    ...[...columns].map((name) => [`${OF_COLUMN}${name}`, t('question.column', { name })]),
    [NEW, t('question.new')],
    [LEFT, t('question.left')],
  ]
}
