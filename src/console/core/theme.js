import { forThisBrowser, keptIn } from './kept.js'
import { effect, signal } from './ui.js'

export const THEMES = ['system', 'light', 'dark']

const kept = keptIn(forThisBrowser, 'console.theme')

export const theme = signal(THEMES.includes(kept.read()) ? kept.read() : 'system')

export function wear(name) {
  kept.write(name)
  theme.value = name
}

effect(() => {
  if (theme.value === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme.value
})
