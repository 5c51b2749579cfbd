import { Confirm } from '../../components/dialog.js'
import { ListOf } from '../../components/list.js'
import { PublishLoad, undoPublication } from '../../components/publish-load.js'
import { RowDeeds } from '../../components/row-deeds.js'
import { State } from '../../components/tag.js'
import { tell } from '../../components/toast.js'
import { del, get } from '../../core/api.js'
import { runJob } from '../../core/jobs.js'
import { showBytes, showNumber, showTime, t } from '../../core/language.js'
import { linkTo } from '../../core/router.js'
import { html, useState } from '../../core/ui.js'
import { driftWords } from './changes.js'
import { RowsByLoad } from './rows-by-load.js'

/** Every attempt to load, what came of it, and the way back. */
export function Loads({ source, onChanged }) {
  const [asked, setAsked] = useState(null)
  const [version, setVersion] = useState(0)
  const [loads, setLoads] = useState([])
  const again = () => {
    setVersion((before) => before + 1)
    onChanged()
  }
  const done = (text, undo) => {
    tell(text, 'good', undo)
    again()
  }
  const path = `/sources/${source.uuid}`
  const deeds = {
    rollback: (load) => ({
      deed: () => runJob(`${path}/rollback`, { load: load.uuid }),
      done: t('load.rolledBack'),
      undo: undoPublication(source, again),
    }),
    remove: (load) => ({ deed: () => del(`${path}/loads/${load.uuid}`), done: t('load.removed') }),
  }
  const columns = [
    [t('load.number'), ({ number }) => number, 'number'],
    [t('load.kind'), (load) => html`<${What} load=${load} />`],
    [
      t('state'),
      (load) =>
        html`<${State} of=${load.state} /><span class="below small"
            ><${Outcome} load=${load}
          /></span>`,
    ],
    [t('rowCount'), ({ counts }) => (counts ? showNumber(counts.loaded) : ''), 'number'],
    [
      t('rejected'),
      ({ counts }) => (counts?.rejected ? showNumber(counts.rejected) : ''),
      'number',
    ],
    [
      t('load.finished'),
      ({ finishedAt, startedAt, loadedBy }) =>
        html`${showTime(finishedAt ?? startedAt)}<span class="below small soft"
            >${loadedBy?.name}</span
          >`,
      'time',
    ],
    [
      '',
      (load) =>
        html`<${RowDeeds}
          of=${load.number}
          deeds=${[comparisonOf(source, load), ...choicesFor(load).map((name) => [t(`load.${name}`), () => setAsked({ name, load }), name === 'remove' ? 'danger' : undefined])]}
        />`,
    ],
  ]
  const deed = asked && asked.name !== 'publish' && deeds[asked.name](asked.load)
  return html`<${RowsByLoad} loads=${loads} />
    <${ListOf}
      label=${t('tab.loads')}
      place="kept"
      question=${(query, signal) => get(`${path}/loads`, query, signal)}
      columns=${columns}
      version=${version}
      onAnswer=${({ items }) => setLoads(items)}
      empty=${t('loads.empty')}
    />
    ${
      asked?.name === 'publish' &&
      html`<${PublishLoad}
        source=${source}
        load=${asked.load}
        onClose=${() => setAsked(null)}
        onDone=${() => done(t('load.published'), undoPublication(source, again))}
      />`
    }
    ${
      deed &&
      html`<${Confirm}
        title=${t(`load.${asked.name}`)}
        text=${t(`load.${asked.name}.text`, { number: asked.load.number })}
        label=${t(`load.${asked.name}`)}
        deed=${deed.deed}
        onClose=${() => setAsked(null)}
        onDone=${() => done(deed.done, deed.undo)}
      />`
    }`
}

/** What was done, and the file that was sent for it. */
const What = ({ load: { kind, mode, filename, sizeBytes } }) =>
  html`${t(`loadKind.${kind}`)}${mode && mode !== 'replace' && ` · ${t(`mode.${mode}`)}`}<span
      class="below small soft"
      >${[filename, sizeBytes && showBytes(sizeBytes)].filter(Boolean).join(' · ')}</span
    >`

function choicesFor({ state, mode }) {
  if (state === 'staged') return ['publish', 'remove']
  if (state === 'kept') return ['rollback']
  if (state === 'current' && mode === 'append') return ['remove']
  return []
}

/** What a load would change, or what has changed since. */
const COMPARED = {
  staged: { side: 'to', words: 'changes.look' },
  kept: { side: 'from', words: 'changes.compare' },
}

function comparisonOf(source, { uuid, state }) {
  const compared = COMPARED[state]
  if (!compared) return null
  return [t(compared.words), linkTo('sources', source.uuid, 'changes', { [compared.side]: uuid })]
}

function Outcome({ load: { error, drift, publishedAt } }) {
  if (error)
    return html`<span class="field-error">${error.detail ?? error.title ?? error.code}</span>`
  const changes = driftWords(drift)
  if (changes.length > 0) return changes.join(', ')
  return publishedAt ? '' : html`<span class="soft">${t('load.unpublished')}</span>`
}
