/** What the work fails with; work that succeeds is a failure of the test. */
export async function failure(work: PromiseLike<unknown>): Promise<Error> {
  try {
    await work
  } catch (error) {
    return error as Error
  }
  throw new Error('It should have failed')
}
