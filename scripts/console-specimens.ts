import { readFile } from 'node:fs/promises'

const CONSOLE = new URL('../src/console/', import.meta.url)

/** The modules that the page has loaded itself. */
const PART = `const main = document.querySelector('script[type=module]').src
  const part = (path) => import(new URL(path, main).href)`

const showing = (body: string) => `(async () => {
  ${PART}
  const { html, render } = await part('core/ui.js')
  const box = document.createElement('div')
  box.className = 'specimen form'
  box.style.padding = 'var(--gap-4)'
  box.style.width = '760px'
  const write = (element, words = '', kind = '', into = box) => {
    const made = document.createElement(element)
    made.textContent = words
    made.className = kind
    into.append(made)
    return made
  }
  const draw = (Component, given, into) => render(html\`<\${Component} ...\${given} />\`, into)
  ${body}
  document.body.replaceChildren(box)
})()`

/** A script for a page of the console, which shows `.specimen` alone and gives a promise of its end. */
type Specimens = Readonly<Record<string, string>>

/**
 * What no screen shows side by side: every token, icon and state, taken from where they are written, so
 * that a new one is in the picture.
 */
export async function consoleSpecimens(): Promise<Specimens> {
  const tokens = namesIn(await read('styles/tokens.css'), /^ {2}--([a-z-]+): light-dark\(#/gm)
  const icons = namesIn(await read('components/icon.js'), /^ {2}([a-z]+):/gm)
  const states = namesIn(await read('components/tag.js'), /^ {2}([a-zA-Z]+): \[/gm)
  return {
    type: showing(`
      write('h1', 'Title of a screen — --text-title, 22')
      write('h2', 'Title of a part of it — --text-large, 17')
      write('h3', 'Title of a group — --text, 14, half bold')
      write('p', 'Text, controls, cells — --text, 14')
      write('p', 'Beside it: what one need not read — soft', 'soft')
      write('p', 'Labels, heads of tables, tags — --text-small, 12', 'small')
      write('code', 'Names in SQL, addresses — --font-mono, 12')`),
    spacing: showing(`
      for (const step of [1, 2, 3, 4, 6, 8]) {
        const line = write('div', '', 'row')
        const bar = write('span', '', '', line)
        bar.style.width = 'var(--gap-' + step + ')'
        bar.style.height = '14px'
        bar.style.background = 'var(--accent)'
        write('code', '--gap-' + step, '', line)
        write('span', step * 4 + ' px', 'small soft', line)
      }`),
    colours: showing(`
      const all = write('div')
      all.style.display = 'grid'
      all.style.gridTemplateColumns = 'repeat(6, 1fr)'
      all.style.gap = 'var(--gap-3)'
      for (const name of ${JSON.stringify(tokens)}) {
        const one = write('div', '', '', all)
        const swatch = write('div', '', '', one)
        swatch.style.height = '34px'
        swatch.style.background = 'var(--' + name + ')'
        swatch.style.border = '1px solid var(--line-strong)'
        swatch.style.borderRadius = 'var(--radius)'
        write('code', name, '', one)
      }`),
    icons: showing(`
      const { Icon } = await part('components/icon.js')
      const all = write('div')
      all.style.display = 'grid'
      all.style.gridTemplateColumns = 'repeat(6, 1fr)'
      all.style.gap = 'var(--gap-3)'
      for (const name of ${JSON.stringify(icons)}) {
        const one = write('div', '', 'row', all)
        draw(Icon, { of: name }, write('span', '', '', one))
        write('span', name, 'small', one)
      }`),
    buttons: showing(`
      const line = write('div', '', 'row')
      for (const [words, kind] of [
        ['Load the table', 'primary'], ['Export', ''], ['Delete', 'danger'], ['Close', 'plain'],
        ['Client contains sete ×', 'chip'],
      ]) write('button', words, kind, line)
      const { Switch } = await part('components/switch.js')
      const choices = [[1, 'As in the file'], [2, 'As in the table']]
      draw(Switch, { label: '', value: 1, choices }, write('span', '', '', line))
      write('button', 'Send', 'primary', line).disabled = true`),
    tags: showing(`
      const { State } = await part('components/tag.js')
      const line = write('div', '', 'row')
      const seen = new Set()
      for (const state of ${JSON.stringify(states)}) {
        const one = write('span')
        draw(State, { of: state }, one)
        if (!seen.has(one.innerHTML)) line.append(one)
        seen.add(one.innerHTML)
      }
      for (const one of [...box.children]) if (one !== line) one.remove()`),
    notices: showing(`
      for (const [kind, words] of [
        ['', 'Load 4 waits for a decision.'],
        ['good', 'Everything is as it has to be.'],
        ['warn', 'The upload of ventes.csv was interrupted: choose the file again, and it goes on.'],
        ['bad', 'Line 5: “31/02/2026” is not a date.'],
      ]) write('p', words, 'notice ' + kind)`),
    toasts: `(async () => {
      ${PART}
      const { tell } = await part('components/toast.js')
      tell('Contrats is deleted.', 'good', async () => 'Contrats is back.')
      tell('1 row was rejected again: it is among the rejects.', 'warn')
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 400)))
    })()`,
  }
}

const read = (path: string) => readFile(new URL(path, CONSOLE), 'utf8')

const namesIn = (text: string, named: RegExp) => [
  ...new Set([...text.matchAll(named)].map(([, name]) => name!)),
]
