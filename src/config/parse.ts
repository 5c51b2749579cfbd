import { type Language, languageNamed } from '../../pipelines/index.ts'

/** A parser turns the text of one setting into its value, or throws what it should have been. */
export type Parser<T> = (text: string) => T

export class SettingError extends Error {
  override readonly name = 'SettingError'
}

const DURATION_UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const SIZE_UNITS = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 } as const

/** Node's timers treat a longer time as none at all. */
const LONGEST_TIMER_MS = 24 * DURATION_UNITS.d

/** A time to wait, which may be zero only if the minimum says so. */
export const durationMs =
  (minimumMs = 1, maximumMs: number = LONGEST_TIMER_MS): Parser<number> =>
  (text) => {
    const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text)
    if (!match) throw new SettingError('a duration such as 500ms, 10s, 5m or 8h')
    const value = Number(match[1]) * DURATION_UNITS[match[2] as keyof typeof DURATION_UNITS]
    if (value < minimumMs) throw new SettingError(`a duration of at least ${minimumMs}ms`)
    if (value > maximumMs) {
      throw new SettingError(`a duration of at most ${maximumMs / DURATION_UNITS.d}d`)
    }
    return value
  }

export const sizeBytes: Parser<number> = (text) => {
  const match = /^(\d{1,9})(B|KB|MB|GB|TB)$/i.exec(text)
  if (!match || Number(match[1]) === 0) {
    throw new SettingError('a size such as 512KB, 50MB or 10GB')
  }
  return Number(match[1]) * SIZE_UNITS[match[2]!.toUpperCase() as keyof typeof SIZE_UNITS]
}

export const integer =
  (minimum: number, maximum: number): Parser<number> =>
  (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN
    if (!(value >= minimum && value <= maximum)) {
      throw new SettingError(`a whole number from ${minimum} to ${maximum}`)
    }
    return value
  }

export const oneOf =
  <const T extends readonly string[]>(allowed: T): Parser<T[number]> =>
  (text) => {
    if (!allowed.includes(text)) throw new SettingError(`one of ${allowed.join(', ')}`)
    return text
  }

export const boolean: Parser<boolean> = (text) => {
  if (text !== 'true' && text !== 'false') throw new SettingError('true or false')
  return text === 'true'
}

/**
 * Operating systems also have a variable of this name: only the beginning of `en_US:en` counts, and
 * any other language means the default.
 */
export const language =
  (otherwise: Language): Parser<Language> =>
  (text) =>
    languageNamed(text) ?? otherwise

export const anyText: Parser<string> = (text) => text

export const secretOfAtLeast =
  (bytes: number): Parser<string> =>
  (text) => {
    if (Buffer.byteLength(text) < bytes) {
      throw new SettingError(`text of at least ${bytes} bytes`)
    }
    return text
  }

export const url =
  (...protocols: readonly string[]): Parser<string> =>
  (text) => {
    const parsed = URL.canParse(text) ? new URL(text) : null
    if (!parsed || !protocols.includes(parsed.protocol)) {
      throw new SettingError(
        `an address beginning with ${protocols.map((p) => `${p}//`).join(' or ')}`,
      )
    }
    return text
  }

/**
 * For a setting with a grammar of its own, which `read` knows; the message of `read` is appended.
 */
export const readableBy =
  <T>(parser: Parser<T>, what: string, read: (value: T) => unknown): Parser<T> =>
  (text) => {
    const value = parser(text)
    try {
      read(value)
    } catch (error) {
      throw new SettingError(`${what}: ${(error as Error).message}`, { cause: error })
    }
    return value
  }

export const list: Parser<readonly string[]> = (text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** As browsers send them: scheme, host and port, without a trailing slash. */
export const origins: Parser<readonly string[]> = (text) => {
  const found = list(text)
  if (found.some((item) => !URL.canParse(item) || new URL(item).origin !== item)) {
    throw new SettingError('origins such as https://app.example.com, comma-separated')
  }
  return found
}
