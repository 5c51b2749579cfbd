/** Longer texts are compared by their beginning. */
const COMPARED_LENGTH = 60
const LEAST_ALIKE = 2
const SHARE_ALIKE = 0.7
/** Only words: what any name looks like, too. */
const WORDS = 'a'

/** How a text is written: `MG-8769` as `a-9`, `12 rue du Port` as `9 a`. */
function writingOf(text: string): string {
  return text
    .slice(0, COMPARED_LENGTH)
    .replace(/\d+/g, '9')
    .replace(/\p{L}+/gu, WORDS)
    .replace(/a(?:\s+a)+/g, WORDS)
}

/**
 * The ways in which the texts of a row are written. Each is computed once, however many rows are
 * compared with it.
 */
export class Writings {
  readonly #texts: readonly string[]
  readonly #found: (string | undefined)[] = []

  constructor(texts: readonly string[]) {
    this.#texts = texts
  }

  /** Empty for a blank cell. */
  at(column: number): string {
    this.#found[column] ??= writingOf(this.#texts[column] ?? '')
    return this.#found[column]
  }
}

/** How most rows write a column of codes and the like; null if they have nothing in common. */
export function commonWriting(
  rows: readonly { readonly writings: Writings }[],
  column: number,
): string | null {
  const times = new Map<string, number>()
  let all = 0
  for (const { writings } of rows) {
    const writing = writings.at(column)
    if (writing === '') continue
    times.set(writing, (times.get(writing) ?? 0) + 1)
    all += 1
  }
  if (all < LEAST_ALIKE) return null
  for (const [writing, count] of times) {
    if (writing !== WORDS && count >= SHARE_ALIKE * all) return writing
  }
  return null
}
