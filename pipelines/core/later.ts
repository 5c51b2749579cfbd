const parts: (() => Promise<unknown>)[] = []

/**
 * A part that no start waits for: whoever needs it first loads it, and a service does when it has
 * started. Then no request waits for it, and none meets files that a new version has replaced.
 */
export function later<Part>(load: () => Promise<Part>): () => Promise<Part> {
  parts.push(load)
  return load
}

/** One after another, so that what comes meanwhile is answered in between. */
export async function loadAllParts(signal: AbortSignal): Promise<void> {
  for (const load of parts) {
    if (signal.aborted) return
    await load()
    await new Promise<void>((resolve) => void setImmediate(resolve))
  }
}
