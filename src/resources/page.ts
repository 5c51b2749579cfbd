/** The requested part of a list; pages are counted from 1. */
export interface PageRequest {
  readonly page: number
  readonly limit: number
}

export interface Page<T> {
  readonly items: readonly T[]
  /** The length of the whole list. */
  readonly total: number
}
