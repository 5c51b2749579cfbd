/** A format of text that is the service's own. */
interface TextFormat {
  /** Null: the domain judges it, since that has more to say about what is wrong. */
  readonly accepts: ((text: string) => boolean) | null
  /** Completes the sentence that begins with the field. */
  readonly message: string
  /** The same in words that any client understands. */
  readonly documented: { readonly minLength?: number; readonly pattern: string }
}

const MAX_NAME_CHARACTERS = 255

/** Characters as a person counts them, not UTF-16 units. */
const characters = (text: string) => [...text].length

/** PostgreSQL's text holds every character but U+0000. */
export const WITHOUT_NUL = '^[^\\u0000]*$'

export const TEXT_FORMATS: Readonly<Record<string, TextFormat>> = {
  'trimmed-name': {
    accepts: (text) => {
      const trimmed = text.trim()
      return trimmed !== '' && characters(trimmed) <= MAX_NAME_CHARACTERS
    },
    message: `must have 1 to ${MAX_NAME_CHARACTERS} characters besides white space around it`,
    documented: {
      minLength: 1,
      pattern: `^\\s*[^\\s\\u0000](?:[^\\u0000]{0,${MAX_NAME_CHARACTERS - 2}}[^\\s\\u0000])?\\s*$`,
    },
  },
  'without-nul': {
    accepts: (text) => !text.includes('\0'),
    message: 'must not contain the character NUL',
    documented: { pattern: WITHOUT_NUL },
  },
  'not-blank': {
    accepts: (text) => text.trim() !== '' && !text.includes('\0'),
    message: 'must not be blank, nor contain the character NUL',
    documented: { minLength: 1, pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$' },
  },
  'trimmed-name-or-blank': {
    accepts: null,
    message: `must have at most ${MAX_NAME_CHARACTERS} characters besides white space around it`,
    documented: {
      pattern: `^\\s*(?:[^\\s\\u0000](?:[^\\u0000]{0,${MAX_NAME_CHARACTERS - 2}}[^\\s\\u0000])?\\s*)?$`,
    },
  },
  'api-key-or-blank': {
    accepts: null,
    message: 'must be printable ASCII without white space',
    documented: { pattern: '^\\s*[!-~]{0,4096}\\s*$' },
  },
  'api-key': {
    accepts: null,
    message: 'must be printable ASCII without white space',
    documented: { minLength: 1, pattern: '^\\s*[!-~]{1,4096}\\s*$' },
  },
  'base-url': {
    accepts: null,
    message: 'must be an address that begins with http:// or https://',
    documented: {
      minLength: 8,
      pattern:
        '^\\s*[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\u0000-\\u001f\\u007f-\\u009f/?#@\\\\]+' +
        '(?:/[^\\s\\u0000-\\u001f\\u007f-\\u009f?#\\\\]*)?\\s*$',
    },
  },
}
