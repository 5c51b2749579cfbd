import type { SeededRandom } from '../../support/seeded-random.ts'

const CHARACTERS = [...'abcxyzABCXYZ0189-_']

/** The same address, but for one thing that means something else. */
export function alter(genuine: string, random: SeededRandom): string {
  for (;;) {
    const url = new URL(genuine)
    const waysToAlter = [
      () => (url.pathname = withAnotherCharacter(url.pathname, random)),
      () => (url.search = withAnotherCharacter(url.search, random)),
      () => url.searchParams.delete(random.pick([...url.searchParams.keys()])),
      () => url.searchParams.append(random.pick([...url.searchParams.keys()]), 'x'),
      () => url.searchParams.set(random.pick([...url.searchParams.keys()]), ''),
      () => (url.pathname = `${url.pathname}/..${url.pathname}x`),
    ]
    random.pick(waysToAlter)()
    if (meaningOf(url) !== meaningOf(new URL(genuine))) return url.href
  }
}

function withAnotherCharacter(text: string, random: SeededRandom): string {
  const at = random.integer(1, text.length - 1)
  return text.slice(0, at) + random.pick(CHARACTERS) + text.slice(at + 1)
}

/** Spellings of the same are no alterations. */
function meaningOf({ pathname, searchParams }: URL): string {
  const path = URL.canParse(`http://x${pathname}`) ? decoded(pathname) : pathname
  const parameters = [...searchParams].map(([name, value]) => [name, spelled(value)])
  return JSON.stringify([path, parameters.toSorted()])
}

/** A signature in hexadecimal is the same in capitals: the store reads it as the number it is. */
function spelled(value: string): string {
  return /^[0-9a-f]{64}$/i.test(value) ? value.toLowerCase() : value
}

function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('latin1'),
  )
}
