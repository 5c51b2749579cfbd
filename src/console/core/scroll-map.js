/** Browsers stop at some 17 million pixels; taller content is shown through a shorter scroll bar. */
const TALLEST_PX = 8_000_000

/**
 * Maps the scroll bar to rows. Small steps move by pixels, as everywhere; where the bar is shorter
 * than the rows, a far jump goes to the same share of them.
 */
export class ScrollMap {
  #barPx = 0
  #topPx = 0

  resize(contentPx, viewPx) {
    this.contentPx = contentPx
    this.viewPx = viewPx
    this.heightPx = Math.min(contentPx, TALLEST_PX)
    this.isScaled = contentPx > TALLEST_PX
  }

  /** Distance from the top of all rows, for where the scroll bar is now. */
  scrolledTo(barPx) {
    if (!this.isScaled) return (this.#topPx = barPx)
    const step = barPx - this.#barPx
    const end = this.contentPx - this.viewPx
    const barEnd = this.heightPx - this.viewPx
    const isFar = Math.abs(step) > this.viewPx * 2
    this.#topPx =
      isFar || barPx <= 0 || barPx >= barEnd ? (barPx / barEnd) * end : this.#topPx + step
    this.#barPx = barPx
    return (this.#topPx = Math.max(0, Math.min(end, this.#topPx)))
  }

  /** Where the bar has to be to show what begins at this distance from the top. */
  barFor(topPx) {
    if (!this.isScaled) return topPx
    const share = topPx / Math.max(1, this.contentPx - this.viewPx)
    this.#topPx = topPx
    return (this.#barPx = Math.round(share * (this.heightPx - this.viewPx)))
  }
}
