import { readFileSync } from 'node:fs'

import { SettingError } from './parse.ts'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'which does not exist',
  EACCES: 'which may not be read',
  EISDIR: 'which is a folder',
}

/**
 * The text of a setting: the value of its variable, or the content of the file that `<name>_FILE`
 * names, as secrets are mounted into containers. Null if neither is set.
 */
export function settingText(name: string, environment: NodeJS.ProcessEnv): string | null {
  // An empty variable is how compose files and shells say "unset".
  const given = environment[name] || null
  const path = environment[`${name}_FILE`] || null
  if (path === null) return given
  if (given !== null) throw new SettingError(`set by ${name} or by ${name}_FILE, not by both`)
  const text = readText(name, path)
  if (text === '') throw new SettingError(`in the file ${path} (${name}_FILE), which is empty`)
  return text
}

function readText(name: string, path: string): string {
  try {
    // Editors and `echo` end a file with a line break that is not part of the secret.
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const reason = REASONS[code] ?? `which cannot be read: ${message}`
    throw new SettingError(`in the file ${path} (${name}_FILE), ${reason}`, { cause: error })
  }
}
