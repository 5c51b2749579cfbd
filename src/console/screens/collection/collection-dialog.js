import { Check, Choice, Lines, TextField } from '../../components/field.js'
import { FormDialog } from '../../components/dialog.js'
import { NameField } from '../../components/name-field.js'
import { get, patch, post } from '../../core/api.js'
import { t } from '../../core/language.js'
import { useAnswer } from '../../core/loading.js'
import { html, useState } from '../../core/ui.js'
import { readLines, readSenders } from './read-senders.js'

const MOST_SOURCES = 100
const REMINDERS = '7, 1'

/** A new collection, or what can be changed of one. */
export function CollectionDialog({ collection = null, onClose, onDone }) {
  const [given, setGiven] = useState(() => ({
    name: collection?.name ?? '',
    sourceUuid: '',
    senders: '',
    periods: '',
    deadline: localOf(collection?.deadline),
    remind: collection
      ? collection.remind.map((one) => one.replace(/d$/, '')).join(', ')
      : REMINDERS,
    approval: collection?.approval ?? false,
    closeAtDeadline: collection?.closeAtDeadline ?? false,
    message: collection?.message ?? '',
    senderLabel: '',
    periodLabel: '',
  }))
  const set = (name) => (value) => setGiven((before) => ({ ...before, [name]: value }))
  const deed = () =>
    collection
      ? patch(`/collections/${collection.uuid}`, changesOf(given))
      : post('/collections', bodyOf(given))
  const fields = (errorAt) =>
    html`${
        collection
          ? html`<${NameField} value=${given.name} onInput=${set('name')} errorAt=${errorAt} />`
          : html`<${Beginning} given=${given} set=${set} errorAt=${errorAt} />`
      }
      <div class="form-line">
        <${TextField}
          wide
          label=${t('collection.deadline')}
          type="datetime-local"
          value=${given.deadline}
          onInput=${set('deadline')}
          error=${errorAt('/deadline')}
        />
        <${TextField}
          wide
          label=${t('collection.remind')}
          hint=${t('collection.remind.hint')}
          value=${given.remind}
          onInput=${set('remind')}
          error=${errorAt('/remind') ?? errorAt('/remind/0')}
        />
      </div>
      <${Check}
        label=${t('collection.approval')}
        checked=${given.approval}
        onChange=${set('approval')}
      />
      <${Check}
        label=${t('collection.closes')}
        checked=${given.closeAtDeadline}
        onChange=${set('closeAtDeadline')}
      />
      <${Lines}
        label=${t('collection.message')}
        rows="2"
        value=${given.message}
        onInput=${set('message')}
        error=${errorAt('/message')}
      />`
  return html`<${FormDialog}
    title=${collection ? t('collection.change') : t('collection.new')}
    wide=${!collection}
    isReady=${collection !== null || given.sourceUuid !== ''}
    fields=${fields}
    deed=${deed}
    onClose=${onClose}
    onDone=${onDone}
  />`
}

/** What a collection begins with; later it grows by deeds of its own. */
function Beginning({ given, set, errorAt }) {
  const { data } = useAnswer(
    (signal) => get('/sources', { limit: MOST_SOURCES, status: 'READY' }, signal),
    [],
  )
  const choices = [
    ['', t('question.choose')],
    ...(data?.items ?? []).map(({ uuid, name }) => [uuid, name]),
  ]
  return html`<div class="form-line">
      <${NameField} wide value=${given.name} onInput=${set('name')} errorAt=${errorAt} />
      <${Choice}
        wide
        label=${t('collection.source')}
        hint=${t('collection.source.hint')}
        value=${given.sourceUuid}
        choices=${choices}
        onChange=${set('sourceUuid')}
        error=${errorAt('/sourceUuid')}
      />
    </div>
    <div class="columns">
      <${Lines}
        label=${t('collection.senders')}
        hint=${t('collection.senders.hint')}
        rows="4"
        required
        value=${given.senders}
        onInput=${set('senders')}
        error=${errorAt('/senders')}
      />
      <${Lines}
        label=${t('collection.periods')}
        hint=${t('collection.periods.hint')}
        rows="4"
        value=${given.periods}
        onInput=${set('periods')}
        error=${errorAt('/periods')}
      />
    </div>
    <div class="form-line">
      <${TextField}
        wide
        label=${t('collection.senderLabel')}
        hint=${t('collection.label.hint')}
        value=${given.senderLabel}
        onInput=${set('senderLabel')}
        error=${errorAt('/labels/sender')}
      />
      <${TextField}
        wide
        label=${t('collection.periodLabel')}
        value=${given.periodLabel}
        onInput=${set('periodLabel')}
        error=${errorAt('/labels/period')}
      />
    </div>`
}

/** Days, unless something else is said. */
const remindersOf = (text) =>
  text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map((one) => (/^\d+$/.test(one) ? `${one}d` : one.toLowerCase().replace('j', 'd')))

function changesOf({ name, deadline, remind, approval, closeAtDeadline, message }) {
  return {
    name,
    deadline: deadline === '' ? null : new Date(deadline).toISOString(),
    remind: remindersOf(remind),
    approval,
    closeAtDeadline,
    message: message.trim() === '' ? null : message,
  }
}

function bodyOf(given) {
  const { deadline, message, ...changes } = changesOf(given)
  const periods = readLines(given.periods)
  const labels = {
    ...(given.senderLabel.trim() && { sender: given.senderLabel }),
    ...(given.periodLabel.trim() && { period: given.periodLabel }),
  }
  return {
    ...changes,
    sourceUuid: given.sourceUuid,
    senders: readSenders(given.senders),
    ...(periods.length > 0 && { periods }),
    ...(deadline && { deadline }),
    ...(message && { message }),
    ...(Object.keys(labels).length > 0 && { labels }),
  }
}

/** As a field for an instant takes it: in the time zone of the browser. */
function localOf(text) {
  if (!text) return ''
  const instant = new Date(text)
  return new Date(instant - instant.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
