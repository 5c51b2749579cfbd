/** What tells an attached file from any other object that has an id and a name. */
const FILE_KEYS = ['url', 'downloadUrl', 'href', 'mimeType', 'contentType', 'size'] as const

/**
 * Attached files are kept by id and name alone. Their addresses are signed anew for every answer,
 * so that a form loaded twice would otherwise differ from itself.
 */
export function attachmentsByIdAndName(value: unknown): unknown {
  if (!Array.isArray(value)) return byIdAndName(value)
  return value.some(isAttachment) ? value.map(byIdAndName) : value
}

function byIdAndName(value: unknown): unknown {
  if (!isAttachment(value)) return value
  return { id: value.id, name: value.name }
}

function isAttachment(value: unknown): value is { id: string | number; name: string } {
  if (typeof value !== 'object' || value === null) return false
  if (!Object.hasOwn(value, 'id') || !Object.hasOwn(value, 'name')) return false
  const { id, name } = value as { id: unknown; name: unknown }
  const isNamed = (typeof id === 'string' || typeof id === 'number') && typeof name === 'string'
  return isNamed && FILE_KEYS.some((key) => Object.hasOwn(value, key))
}
