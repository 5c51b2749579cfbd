type Load = () => Promise<unknown>

const parts: Load[] = []

/** Something that no start waits for: whoever needs it first loads it, if nobody has had the time before. */
export function later<Part>(load: () => Promise<Part>): () => Promise<Part> {
  parts.push(load)
  return load
}

export const laterParts = (): readonly Load[] => parts
