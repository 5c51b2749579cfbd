/** Which part of a list is wanted; pages are counted from 1. */
export interface PageRequest {
  readonly page: number
  readonly limit: number
}

export interface Page<T> {
  readonly items: readonly T[]
  /** Of the whole list. */
  readonly total: number
}
