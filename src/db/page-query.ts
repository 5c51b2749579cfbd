import type { Page, PageRequest } from '../resources/page.ts'

/** The order of lists. `row` is the alias of the table. */
export const newestFirst = (row: string): string => `${row}.created_at desc, ${row}.id desc`

interface ListParts {
  /** Common table expressions that the other parts may use. */
  readonly with?: string
  /** Comes before both subqueries, which may refer to it. */
  readonly from?: string
  /** Selects `total`. */
  readonly counted: string
  /** Selects the items of the page; their fields must include `id` and the time of creation. */
  readonly items: string
  readonly where?: string
  /** The field with the time of creation. */
  readonly createdAt?: string
}

/**
 * Reads a page of a list and the length of the list in one statement, so that concurrent changes
 * are in both or in neither. The total is returned even if the page is empty.
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

/** What `pageQuery` returns: a row for each item, or a row without an item for an empty page. */
export type PageRow<T> = T & { readonly total: number }

export function pageOf<T extends { readonly id: number }>(rows: readonly PageRow<T>[]): Page<T> {
  const items = rows.filter(({ id }: { id: number | null }) => id !== null)
  return { items, total: rows[0]?.total ?? 0 }
}

export const offsetOf = ({ page, limit }: PageRequest): number => (page - 1) * limit
