import { get, patch } from '../../core/api.js'

/**
 * What somebody makes of the columns besides their types, by header: `{ name, description, isLeft }`,
 * and in which order they stand.
 */
export const NOTHING_PLANNED = { columns: {}, order: null }

export const isPlanned = ({ columns, order }) => order !== null || Object.keys(columns).length > 0

export const planOf = (plan, header) => plan.columns[header] ?? {}

export function withPlan(plan, header, change) {
  const said = { ...planOf(plan, header), ...change }
  const kept = Object.fromEntries(
    Object.entries(said).filter(([, value]) => value !== '' && value !== false),
  )
  const { [header]: _before, ...others } = plan.columns
  return {
    ...plan,
    columns: Object.keys(kept).length === 0 ? others : { ...others, [header]: kept },
  }
}

/** The headers in the order that was chosen; those that nobody placed come where the file has them. */
export function inOrder({ order }, headers) {
  if (order === null) return headers
  const placed = order.filter((header) => headers.includes(header))
  return [...placed, ...headers.filter((header) => !placed.includes(header))]
}

export function moved(plan, headers, header, steps) {
  const order = inOrder(plan, headers)
  const at = order.indexOf(header)
  const others = order.toSpliced(at, 1)
  return { ...plan, order: others.toSpliced(Math.max(0, at + steps), 0, header) }
}

/** What a source expects is told at once, so that later files are taken in the same way. */
export async function applyPlan({ uuid }, plan) {
  const path = `/sources/${uuid}/shape`
  const shape = await get(path)
  const byHeader = new Map(shape.columns.map((column) => [column.name, column]))
  const stays = inOrder(plan, [...byHeader.keys()]).filter((header) => !planOf(plan, header).isLeft)
  const columns = stays.map((header) => {
    const { name, description } = planOf(plan, header)
    const column = byHeader.get(header)
    const isRenamed = name !== undefined && name !== header
    return {
      ...column,
      ...(isRenamed && { name, aliases: [...column.aliases, header] }),
      ...(description !== undefined && { description }),
    }
  })
  const left = [...byHeader.keys()].filter((header) => planOf(plan, header).isLeft)
  return patch(path, { columns, ...(left.length > 0 && { left: [...shape.left, ...left] }) })
}
