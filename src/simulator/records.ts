import { mix, uuidOf } from './mix.ts'
import type { SimulatedItem } from './world.ts'

const FIRST_RECORD_MS = Date.UTC(2024, 0, 8, 7, 30, 0)
const BETWEEN_RECORDS_MS = 61_000

/** Records `from` to `to` (excluded) as JSON text, oldest first. Always the same ones. */
export function writeRecords(item: SimulatedItem, from: number, to: number): string {
  const heads = item.questions.map(({ key }) => `${JSON.stringify(key)}:`)
  let text = ''
  for (let index = from; index < to; index++) {
    if (index > from) text += ','
    text += writeRecord(item, heads, index)
  }
  return text
}

function writeRecord(item: SimulatedItem, heads: readonly string[], index: number): string {
  const own = mix(item.seed, index)
  let values = ''
  for (let column = 0; column < heads.length; column++) {
    const answer = item.questions[column]!.answer(mix(own, column))
    if (answer === null) continue
    values += (values === '' ? '' : ',') + heads[column] + answer
  }
  const at = new Date(FIRST_RECORD_MS + index * BETWEEN_RECORDS_MS).toISOString()
  return `{"uuid":"${uuidOf(item.seed, index)}","submittedAt":"${at}","updatedAt":"${at}","values":{${values}}}`
}
