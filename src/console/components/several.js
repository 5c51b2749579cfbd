import { ProblemError } from '../core/api.js'
import { t } from '../core/language.js'
import { doToEach, severals, wordsOfSeveral } from '../core/several.js'
import { html, useEffect, useRef, useState } from '../core/ui.js'
import { Confirm } from './dialog.js'
import { sentenceOf } from './problem.js'
import { tell, tellProblem } from './toast.js'

const NONE = new Set()

/**
 * Which things of a list are chosen; `key` is how it is looked at: what is out of sight is not chosen.
 * Shift takes along whatever lies between, by the mouse or with the arrows.
 */
export function useChosen(items, key) {
  const [chosen, setChosen] = useState(NONE)
  const last = useRef(null)
  const none = () => {
    last.current = null
    setChosen(NONE)
  }
  useEffect(none, [key])
  const set = (from, to, isChosen) => {
    const next = new Set(chosen)
    for (const { uuid } of items.slice(Math.min(from, to), Math.max(from, to) + 1)) {
      if (isChosen) next.add(uuid)
      else next.delete(uuid)
    }
    last.current = to
    setChosen(next)
  }
  const things = items.filter(({ uuid }) => chosen.has(uuid))
  return { things, has: ({ uuid }) => chosen.has(uuid), set, last, none }
}

/** Chooses all that are in sight, or none of them. */
export function TickAll({ of: { things, set, none }, count }) {
  const isAll = things.length === count
  return html`<label class="tick">
    <input
      type="checkbox"
      aria-label=${t('several.all')}
      checked=${isAll}
      indeterminate=${things.length > 0 && !isAll}
      onChange=${() => (isAll ? none() : set(0, count - 1, true))}
    />
    <span class="tick-words" aria-hidden="true">${t('several.all')}</span>
  </label>`
}

export function Tick({ of: { has, set, last }, item, at, name }) {
  const onClick = ({ currentTarget, shiftKey }) =>
    set(shiftKey ? (last.current ?? at) : at, at, currentTarget.checked)
  const onKeyDown = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const ticks = [...event.currentTarget.closest('tbody').querySelectorAll('.tick input')]
    const next = ticks[at + step]
    if (!next) return
    next.focus()
    if (event.shiftKey) set(at, at + step, event.currentTarget.checked)
  }
  return html`<label
    class="tick"
    onMouseDown=${(event) => {
      // It would mark the text between.
      if (event.shiftKey) event.preventDefault()
    }}
  >
    <input
      type="checkbox"
      aria-label=${t('several.choose', { name })}
      checked=${has(item)}
      onClick=${onClick}
      onKeyDown=${onKeyDown}
    />
  </label>`
}

/**
 * How many are chosen and what can be done with them: `deeds` are `{ words, each, isFor, kind, ask, isForGood, with, back, all }`.
 * `each(thing)` is done to one after the other of those that it `isFor`; what `ask()` says is asked before, and
 * their number wanted where it `isForGood`; `with` draws a dialog that says what is done to each; `back(thing)`
 * takes it back. What is done to `all(things)` at once needs no more. `onDone` is told when something was done.
 */
export function Several({ chosen, deeds, nameOf, onDone }) {
  const [asked, setAsked] = useState(null)
  const [under, setUnder] = useState(null)
  const going = severals.value.find(({ key }) => key === under)
  const { things, none } = chosen
  const run = async (deed, some, each) => {
    const doing = doToEach(deed.words, some, each)
    setUnder(severals.value.at(-1).key)
    const { done, refused } = await doing
    setUnder(null)
    say(deed, done, refused)
    if (done.length > 0) onDone()
  }
  const say = (deed, done, refused) => {
    const count = done.length
    const undo = deed.back && (() => takeBack(done, deed.back))
    if (count > 0) tell(t('several.done', { deed: deed.words, count }), 'good', undo)
    if (refused.length > 0) tellProblem(refusalOf(deed.words, refused, nameOf))
  }
  const takeBack = async (done, back) => {
    const again = await doToEach(t('undo'), done, back)
    onDone()
    if (again.refused.length > 0) throw refusalOf(t('undo'), again.refused, nameOf)
    return t('several.done', { deed: t('undo'), count: done.length })
  }
  const begin = (deed, some) => {
    if (deed.all) deed.all(some)
    else if (deed.ask || deed.with) setAsked({ deed, some })
    else void run(deed, some, deed.each)
  }
  const close = () => setAsked(null)
  const go = (each) => {
    close()
    void run(asked.deed, asked.some, each)
  }
  return html`<div class="list-tools chosen" role="group" aria-label=${t('several')}>
    <strong role="status">${t('several.chosen', { count: things.length })}</strong>
    ${
      going
        ? html`<progress
              aria-label=${going.words}
              max=${going.total}
              value=${going.done}
            ></progress>
            <span class="small">${going.words} · ${wordsOfSeveral(going)}</span>
            <button type="button" onClick=${going.stop}>${t('cancel')}</button>`
        : html`${deeds.map((deed) => {
              const some = deed.isFor ? things.filter(deed.isFor) : things
              if (some.length === 0) return null
              return html`<button
                type="button"
                class=${deed.kind}
                onClick=${() => begin(deed, some)}
              >
                ${some.length === things.length ? deed.words : t('several.some', { deed: deed.words, count: some.length })}
              </button>`
            })}
            <button type="button" class="plain total" onClick=${none}>${t('several.none')}</button>`
    }
    ${
      asked?.deed.ask &&
      html`<${Confirm}
        title=${asked.deed.words}
        text=${`${asked.deed.ask()} ${namesOf(asked.some, nameOf)}`}
        label=${asked.deed.words}
        typed=${asked.deed.isForGood ? String(asked.some.length) : undefined}
        deed=${() => Promise.resolve()}
        onClose=${close}
        onDone=${() => go(asked.deed.each)}
      />`
    }
    ${asked?.deed.with?.({ things: asked.some, onClose: close, onChosen: go })}
  </div>`
}

const MOST_NAMED = 10

function namesOf(things, nameOf) {
  const names = things.slice(0, MOST_NAMED).map(nameOf)
  const left = things.length - names.length
  return `${names.join(', ')}${left > 0 ? ` ${t('home.more', { count: left })}` : ''}.`
}

/** What was not done, each by its name. */
const refusalOf = (deed, refused, nameOf) =>
  new ProblemError({
    detail: t('several.refused', { deed, count: refused.length }),
    errors: refused.map(({ thing, problem }) => ({
      pointer: nameOf(thing),
      message: sentenceOf(problem),
    })),
  })
