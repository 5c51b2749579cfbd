export const NAME_SEED = 0x811c9dc5 | 0
export const NAME_PRIME = 0x01000193

/** Names are compared as hashes (FNV-1a, 32 bits), so that no string is made for each tag. */
export function xmlName(name: string): number {
  let hash = NAME_SEED
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, NAME_PRIME)
  return hash
}
