/** Layers in between wrap the error that was thrown first. */
export function causeOf<E extends Error>(
  error: unknown,
  type: abstract new (...given: never[]) => E,
): E | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof type) return cause
    if (cause.cause === cause) return null
  }
  return null
}
