/** Rows with content that people do not see, because of a filter or because they were hidden by hand. */
export class HiddenRows {
  count = 0
  /** Number of the first one; 0: there is none. */
  first = 0

  add(rowNumber: number, count = 1): void {
    this.count += count
    if (this.first === 0) this.first = rowNumber
  }
}
