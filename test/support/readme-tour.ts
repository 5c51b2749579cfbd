import { expect } from 'chai'

/** What was left out: in a text anything at all, in JSON any value, further items, further members. */
const LEFT_OUT = '…'

interface Step {
  readonly command: string
  readonly shown: Shown | null
}

interface Shown {
  readonly language: 'json' | 'text'
  readonly text: string
}

const TOUR = /<!-- tour[^]*<!-- \/tour -->/
const BLOCK = /^```(?<language>sh|json|text)[^\n]*\n(?<text>[^]*?)^```$/gm

/** Commands, each with the block that follows it, if that shows something. */
export function readTour(readme: string): Step[] {
  const steps: Step[] = []
  for (const { groups } of TOUR.exec(readme)![0].matchAll(BLOCK)) {
    const { language, text } = groups as { language: 'sh' | Shown['language']; text: string }
    if (language === 'sh') steps.push({ command: text, shown: null })
    else steps.push({ command: steps.pop()!.command, shown: { language, text } })
  }
  return steps
}

export function expectShown(shown: Shown, actual: string): void {
  if (shown.language === 'json') {
    expectSame(JSON.parse(shown.text), JSON.parse(actual), '')
    return
  }
  const pattern = shown.text.trimEnd().split(LEFT_OUT).map(escape).join('[^]*')
  expect(actual.replaceAll('\r\n', '\n').trim()).to.match(new RegExp(`^${pattern}$`))
}

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

function expectSame(shown: unknown, actual: unknown, place: string): void {
  if (shown === LEFT_OUT) return
  if (Array.isArray(shown)) {
    const isOpen = shown.at(-1) === LEFT_OUT
    const items = isOpen ? shown.slice(0, -1) : shown
    expect(actual, place).to.be.an('array')
    const found = actual as readonly unknown[]
    if (!isOpen) expect(found, place).to.have.lengthOf(items.length)
    for (const [index, item] of items.entries()) expectSame(item, found[index], `${place}/${index}`)
  } else if (typeof shown === 'object' && shown !== null) {
    const { [LEFT_OUT]: more, ...members } = shown as Record<string, unknown>
    expect(actual, place).to.be.an('object')
    const found = actual as Record<string, unknown>
    if (more === undefined) expect(Object.keys(found), place).to.have.members(Object.keys(members))
    for (const [key, member] of Object.entries(members)) {
      expectSame(member, found[key], `${place}/${key}`)
    }
  } else {
    expect(actual, place).to.equal(shown)
  }
}
