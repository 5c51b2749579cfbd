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
