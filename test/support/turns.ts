/** How often the event loop turned while the work went on: others had that many chances. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let next = setImmediate(function count() {
    turns++
    next = setImmediate(count)
  })
  try {
    await work()
    return turns
  } finally {
    clearImmediate(next)
  }
}
