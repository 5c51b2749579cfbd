import { mix, uuidOf } from './mix.ts'
import { CARD_TEMPLATES, FORM_TEMPLATES, type Question, type Template } from './templates.ts'

/** A form or card of the simulated application. Its records are generated on request. */
export interface SimulatedItem {
  readonly uuid: string
  readonly title: string
  readonly publicationStatus: string
  readonly updatedAt: string
  readonly questions: readonly Question[]
  /** The start of the random sequence for all its records. */
  readonly seed: number
  recordCount: number
}

export interface World {
  readonly forms: readonly SimulatedItem[]
  readonly cards: readonly SimulatedItem[]
}

interface WorldOptions {
  readonly forms: number
  readonly cards: number
  readonly responsesPerForm: number
  readonly seed: number
}

const NEWEST_ITEM_MS = Date.UTC(2026, 5, 30, 8, 0, 0)
const HOUR_MS = 3_600_000

export function createWorld({ forms, cards, responsesPerForm, seed }: WorldOptions): World {
  const items = (count: number, templates: readonly Template[], salt: number) =>
    Array.from({ length: count }, (_, ordinal) => {
      const template = templates[ordinal % templates.length]!
      const round = Math.floor(ordinal / templates.length)
      return {
        uuid: uuidOf(mix(seed, salt), ordinal),
        title: round === 0 ? template.title : `${template.title} (${round + 1})`,
        publicationStatus: template.publicationStatus,
        updatedAt: new Date(NEWEST_ITEM_MS - ordinal * 37 * HOUR_MS).toISOString(),
        questions: template.questions,
        seed: mix(seed, salt + ordinal),
        recordCount: template.questions.length === 0 ? 0 : responsesPerForm,
      }
    })
  return { forms: items(forms, FORM_TEMPLATES, 1000), cards: items(cards, CARD_TEMPLATES, 2000) }
}
