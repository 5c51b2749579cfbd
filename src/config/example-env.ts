import { SETTINGS, type Setting } from './settings.ts'

/** Lists every setting with its description, commented out at its default. */
export function exampleEnv(): string {
  const settings = Object.entries(SETTINGS as Readonly<Record<string, Setting<unknown>>>)
  const entries = settings.map(
    ([name, { about, default: text }]) => `# ${about}\n#${name}=${text ?? ''}\n`,
  )
  return `# The settings of the service. None is needed for a first start.\n\n${entries.join('\n')}`
}
