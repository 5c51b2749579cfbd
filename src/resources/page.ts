/** The requested part of a list; pages are counted from 1. */
export interface PageRequest {
  readonly page: number
  readonly limit: number
}

/** What lists of named things can be in the order of. */
export const SORTED_BY = ['createdAt', 'name'] as const
export const ORDERS = ['asc', 'desc'] as const

export interface SortedRequest extends PageRequest {
  /** Default: the time of creation. */
  readonly sort?: (typeof SORTED_BY)[number]
  /** Default: the newest first, and names from A to Z. */
  readonly order?: (typeof ORDERS)[number]
}

export interface Page<T> {
  readonly items: readonly T[]
  /** The length of the whole list. */
  readonly total: number
}

/** The limit of one answer, as it is sent, and of what is held in memory to make it. */
export const MOST_PAGE_BYTES = 16 * 1024 * 1024

/** The items of a page are longer than an answer may be. */
export class LongPageError extends Error {
  override readonly name = 'LongPageError'
  /** Of the page with which its beginning is one of its own. */
  readonly limit: number
  readonly page: number

  constructor(offset: number, itemsThatFit: number) {
    super(`Only the first ${itemsThatFit} items fit into ${MOST_PAGE_BYTES} bytes`)
    const { limit, page } = pageWithin(offset, itemsThatFit)
    this.limit = limit
    this.page = page
  }
}

/** The largest page that begins at `offset` and has `most` items at most; its limit is 0 if there is none. */
export function pageWithin(offset: number, most: number): PageRequest {
  for (let limit = most; limit > 0; limit--) {
    if (offset % limit === 0) return { limit, page: offset / limit + 1 }
  }
  return { limit: 0, page: 0 }
}
