import { get } from '../core/api.js'
import { runJob } from '../core/jobs.js'
import { t } from '../core/language.js'
import { useAnswer } from '../core/loading.js'
import { choicesOf, columnOf, onlyIf, orAskAgain, sureOf } from '../core/mapping.js'
import { html, useState } from '../core/ui.js'
import { Confirm, FormDialog } from './dialog.js'
import { Choice } from './field.js'

/** Shows again what was shown before the last publication, which may have been an undoing itself. */
export const undoPublication = (source, onDone) => async () => {
  await runJob(`/sources/${source.uuid}/rollback`, {})
  onDone()
  return t('load.rolledBack')
}

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
    source=${source}
    load=${load}
    path=${path}
    title=${title}
    onClose=${onClose}
    onDone=${onDone}
  />`
}

function Questions({ source, load, path, title, onClose, onDone }) {
  const asked = load.questions.filter(({ header }) => header !== undefined)
  const [answers, setAnswers] = useState(() =>
    Object.fromEntries(asked.map(({ header, proposals }) => [header, sureOf(proposals)])),
  )
  const { data: shape, askAgain } = useAnswer(
    (signal) => get(`/sources/${source.uuid}/shape`, {}, signal),
    [source.uuid],
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
              choices=${choicesOf(namesFor(question, load))}
              onChange=${(answer) => setAnswers({ ...answers, [question.header]: answer })}
            />`,
      )}`
  return html`<${FormDialog}
    title=${title}
    label=${title}
    isReady=${Object.values(answers).every((answer) => answer !== '')}
    fields=${fields}
    deed=${() => orAskAgain(askAgain, () => runJob(path, { mapping }, { headers: onlyIf(shape) }))}
    onClose=${onClose}
    onDone=${(result) => {
      onClose()
      onDone(result)
    }}
  />`
}

/** The proposals, then whatever else has no header. */
const namesFor = ({ proposals }, { missing }) => [
  ...proposals.map(({ column }) => column),
  ...missing,
]
