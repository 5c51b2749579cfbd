import { t } from './language.js'

/** How a header is answered in a choice: a column that is there, a new one, or none. */
export const NEW = 'new'
export const LEFT = 'left'
const OF_COLUMN = 'column:'
/** What is as good as certain is chosen beforehand; anything else a person has to choose. */
const SURE = 0.9

export const asColumn = (name) => `${OF_COLUMN}${name}`

/** As the service takes it: the name of a column, its own for a new one, null to leave it out. */
export function columnOf(header, answer) {
  if (answer === NEW) return header
  return answer === LEFT ? null : answer.slice(OF_COLUMN.length)
}

export const sureOf = ([best]) => (best && best.confidence >= SURE ? asColumn(best.column) : '')

/** Refused where the shape is no longer the version that was shown; null: none was. */
export const onlyIf = (shape) => (shape ? { 'if-match': `"${shape.uuid}.${shape.version}"` } : {})

/** Whether it is another by now, so that what was shown has to be looked at again. */
const hasMovedOn = (problem) => problem?.code === 'ShapeChangedException'

/** Does it; where the shape has moved on, what was shown is asked for again. */
export async function orAskAgain(askAgain, deed) {
  try {
    return await deed()
  } catch (problem) {
    if (hasMovedOn(problem)) void askAgain()
    throw problem
  }
}

/** `names`: the columns that could be meant, the likeliest first. */
export const choicesOf = (names) => [
  ['', t('question.choose')],
  ...[...new Set(names)].map((name) => [asColumn(name), t('question.column', { name })]),
  [NEW, t('question.new')],
  [LEFT, t('question.left')],
]
