import {
  LongPageError,
  MOST_PAGE_BYTES,
  type Page,
  type PageRequest,
  type SortedRequest,
} from '../resources/page.ts'

/** The order of lists, names whatever their case and accents. `row` is the alias of the table. */
export function inOrder(
  row: string,
  {
    sort = 'createdAt',
    order = sort === 'name' ? 'asc' : 'desc',
  }: Omit<SortedRequest, keyof PageRequest>,
  createdAt = 'created_at',
): string {
  const first = sort === 'name' ? `search_fold(${row}.name)` : `${row}.${createdAt}`
  return `${first} ${order}, ${row}.id ${order}`
}

/** Unless a request wants another order. */
export const newestFirst = (row: string, createdAt?: string): string => inOrder(row, {}, createdAt)

interface ListParts {
  /** Common table expressions that the other parts may use. */
  readonly with?: string
  /** Comes before both subqueries, which may refer to it. */
  readonly from?: string
  /** Selects `total`. */
  readonly counted: string
  /** Selects the items of the page; their fields must include `id` and those of the order. */
  readonly items: string
  readonly where?: string
  /** Of the items, which are called `page`. Default: the newest first. */
  readonly order?: string
  /** Items may be long: no more of them leave the database than an answer may hold, and one at least. */
  readonly bounded?: boolean
}

/**
 * Reads a page of a list and the length of the list in one statement, so that concurrent changes
 * are in both or in neither. The total is returned even if the page is empty.
 */
export function pageQuery(parts: ListParts): string {
  const { with: before = '', from = '', counted, items, where = '' } = parts
  const { order = newestFirst('page', '"createdAt"'), bounded = false } = parts
  const shown = bounded ? fitting(items, order) : items
  return `${before}
    select counted.total, page.*
    from ${from} (${counted}) counted
    left join lateral (${shown}) page on true
    ${where}
    order by ${order}`
}

const fitting = (items: string, order: string): string => `
  select * from (
    select page.*, count(*) over () as "onPage", row_number() over (order by ${order}) as place,
           sum(octet_length(to_json(page)::text)) over (order by ${order}) as "bytesUpTo"
    from (${items}) page) page
  where "bytesUpTo" <= ${MOST_PAGE_BYTES} or place = 1`

/** What `pageQuery` returns: a row for each item, or a row without an item for an empty page. */
export type PageRow<T> = T & { readonly total: number }

export function pageOf<T extends { readonly id: number }>(rows: readonly PageRow<T>[]): Page<T> {
  const items = rows.filter(({ id }: { id: number | null }) => id !== null)
  return { items, total: rows[0]?.total ?? 0 }
}

/** Of a query whose items are bounded. */
export function boundedPageOf<T extends { readonly id: number }>(
  rows: readonly PageRow<T & { readonly onPage?: number }>[],
  request: PageRequest,
): Page<T> {
  const page = pageOf(rows)
  const { length } = page.items
  if (length < (rows[0]?.onPage ?? 0)) throw new LongPageError(offsetOf(request), length)
  return page
}

export const offsetOf = ({ page, limit }: PageRequest): number => (page - 1) * limit
