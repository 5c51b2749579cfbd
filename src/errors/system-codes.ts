/** Whether an error of the operating system or of a socket has one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    codes.includes(error.code)
  )
}

/** The result of the work; null if the file or folder does not exist, or no longer. */
export async function unlessGone<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}
