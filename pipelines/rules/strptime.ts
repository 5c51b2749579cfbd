/** A directive, letters, or anything else. */
export const STRPTIME_PART = /%.|[A-Za-z]+|[^%A-Za-z]+/g

interface Directive {
  /** What it reads. */
  readonly digits: string
  /** Of the last day of 2024, at half past two. */
  readonly example: string
}

const TWO = String.raw`\d{1,2}`

export const DIRECTIVES: Readonly<Record<string, Directive>> = {
  '%Y': { digits: String.raw`\d{4}`, example: '2024' },
  '%y': { digits: String.raw`\d\d`, example: '24' },
  '%m': { digits: TWO, example: '12' },
  '%d': { digits: TWO, example: '31' },
  '%H': { digits: TWO, example: '14' },
  '%M': { digits: TWO, example: '30' },
  '%S': { digits: TWO, example: '00' },
}

const SIGNS = /[\\^$.*+?()[\]{}|/-]/g

/** The pattern of texts that a format of strptime may read; null: it has directives that are not known. */
export function patternOfStrptime(format: string): RegExp | null {
  const parts = partsOf(
    format,
    ({ digits }) => digits,
    (text) => text.replaceAll(SIGNS, String.raw`\$&`),
  )
  return parts === null ? null : new RegExp(`^${parts}$`)
}

/** A moment as a format of strptime writes it. */
export const exampleOfStrptime = (format: string): string =>
  partsOf(
    format,
    ({ example }) => example,
    (text) => text,
  ) ?? format

function partsOf(
  format: string,
  ofDirective: (directive: Directive) => string,
  ofText: (text: string) => string,
): string | null {
  const parts = [...format.matchAll(STRPTIME_PART)].map(([written]) => {
    if (written === '%%') return '%'
    if (!written.startsWith('%')) return ofText(written)
    const directive = DIRECTIVES[written]
    return directive === undefined ? undefined : ofDirective(directive)
  })
  return parts.includes(undefined) ? null : parts.join('')
}
