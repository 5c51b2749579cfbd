const BINS = 24
const MOST_FREQUENT = 10

/** The picture of a column by the rows that are shown, as the service gives it of a table. */
export function profileOf(rows, { name, type }) {
  const values = rows.map((row) => row[name]).filter((value) => value !== null)
  return { histogram: histogramOf(values, type), frequent: frequentOf(values, rows.length, type) }
}

function histogramOf(values, type) {
  if (type !== 'number' && type !== 'date') return null
  const placed = values
    .map((value) => ({ value, at: type === 'date' ? Date.parse(value) : Number(value) }))
    .filter(({ at }) => Number.isFinite(at))
    .toSorted((a, b) => a.at - b.at)
  const [first] = placed
  const last = placed.at(-1)
  if (!first || first.at === last.at) return null
  const counts = Array(BINS).fill(0)
  const width = (last.at - first.at) / BINS
  for (const { at } of placed) counts[Math.min(BINS - 1, Math.floor((at - first.at) / width))]++
  return {
    from: first.value,
    to: last.value,
    shares: counts.map((count) => count / placed.length),
    below: 0,
    above: 0,
  }
}

function frequentOf(values, total, type) {
  if (type === 'json') return []
  const counts = Map.groupBy(values, String)
  return [...counts.values()]
    .filter((same) => same.length > 1)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MOST_FREQUENT)
    .map((same) => ({ value: same[0], share: same.length / total }))
}

/** Of all cells of the sample those that are taken, blank and do not fit. */
export function sharesOf({ type, dateFormat, evidence }) {
  const { sampled, candidates, nulls, fallbackParsed } = evidence
  const blank = Object.values(nulls).reduce((sum, count) => sum + count, 0)
  const of =
    candidates.find((one) => one.type === type && (type !== 'date' || one.format === dateFormat)) ??
    candidates.find((one) => one.type === type)
  const valid = Math.min(sampled, (of?.accepted ?? sampled) + fallbackParsed)
  const all = sampled + blank
  if (all === 0) return []
  return [
    ['valid', valid / all],
    ['blank', blank / all],
    ['invalid', (sampled - valid) / all],
  ]
}
