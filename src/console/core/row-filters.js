/** What the service compares, by the type of the column; `filled` is `blank` the other way round. */
const IN_ORDER = ['eq', 'gte', 'gt', 'lte', 'lt', 'blank', 'filled']
const COMPARISONS = {
  text: ['contains', ...IN_ORDER],
  number: IN_ORDER,
  date: IN_ORDER,
  boolean: ['eq', 'blank', 'filled'],
  json: ['contains', 'blank', 'filled'],
}

export const comparisonsOf = (type) => COMPARISONS[type]

/** Longer texts are found by a part of them. */
const LONGEST_VALUE = 60

export const canBeSought = (value, type) =>
  comparisonsOf(type).includes('eq') && String(value).length <= LONGEST_VALUE

export const takesValue = (comparison) => comparison !== 'blank' && comparison !== 'filled'

/** The parameters of `GET /sources/:uuid/data`; of the same name there may be several. */
export function filterQuery(filters) {
  const query = {}
  for (const { column, type, comparison, value } of filters) {
    const isBlankness = !takesValue(comparison)
    const name = `filter[${column}][${isBlankness ? 'blank' : comparison}]`
    const text = isBlankness ? String(comparison === 'blank') : written(value, type)
    query[name] = [...(query[name] ?? []), text]
  }
  return query
}

/** Numbers as the service writes them, however a person does: `1 240,50` is `1240.50`. */
const written = (value, type) =>
  type === 'number' ? value.replaceAll(/\s/g, '').replace(',', '.') : value

/** Conditions as they stand in the address. */
export const writeFilters = (filters) =>
  filters.length === 0
    ? ''
    : JSON.stringify(filters.map(({ column, comparison, value }) => [column, comparison, value]))

/** Addresses are written by people, too, and columns go: what cannot be compared is no condition. */
function readFilters(text, columns) {
  return readList(text).flatMap((condition) => {
    const [name, comparison, value = ''] = Array.isArray(condition) ? condition : []
    const { type } = columns.find((column) => column.name === name) ?? {}
    if (!comparisonsOf(type)?.includes(comparison)) return []
    return [{ column: name, type, comparison, value: String(value) }]
  })
}

/** How rows are looked at, as the address says: which of them, in what order (null: that of the source), without which columns. */
export function readLook({ where, sort: name, order, hide }, columns) {
  const names = columns.map((column) => column.name)
  const hidden = names.filter((one) => readList(hide).includes(one))
  return {
    filters: readFilters(where, columns),
    sort: names.includes(name) ? { name, order: order === 'desc' ? 'desc' : 'asc' } : null,
    // One at least is shown.
    hidden: hidden.length < names.length ? hidden : [],
  }
}

export const sortQuery = (sort) => (sort ? { sort: sort.name, order: sort.order } : {})

/** A list that stands in the address as JSON; what is none is empty. */
function readList(text) {
  try {
    const list = JSON.parse(text)
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}
