import type { Page, PageRequest } from '../resources/page.ts'

/** The order of lists. `row` is a row of the table. */
export const newestFirst = (row: string): string => `${row}.created_at desc, ${row}.id desc`

interface ListParts {
  /** What the other parts may refer to. */
  readonly with?: string
  /** Stands before both subqueries, which may refer to it. */
  readonly from?: string
  /** Selects `total`. */
  readonly counted: string
  /** Selects the items of the page, among their fields `id` and when they were made. */
  readonly items: string
  readonly where?: string
  /** The field that says when an item was made. */
  readonly createdAt?: string
}

/**
 * A page of a list and how long the list is, in one statement: what others change meanwhile is in
 * both or in neither. The total is told also where the page is empty.
 */
export function pageQuery(parts: ListParts): string {
  const { with: before = '', from = '', counted, items, where = '' } = parts
  const { createdAt = '"createdAt"' } = parts
  return `${before}
    select counted.total, page.*
    from ${from} (${counted}) counted
    left join lateral (${items}) page on true
    ${where}
    order by page.${createdAt} desc, page.id desc`
}

/** What `pageQuery` gives: a row for each item, and one without an item for an empty page. */
export type PageRow<T> = T & { readonly total: number }

export function pageOf<T extends { readonly id: number }>(rows: readonly PageRow<T>[]): Page<T> {
  const items = rows.filter(({ id }: { id: number | null }) => id !== null)
  return { items, total: rows[0]?.total ?? 0 }
}

export const offsetOf = ({ page, limit }: PageRequest): number => (page - 1) * limit
