/** What tells an attached file from any other object that has an id and a name. */
const FILE_KEYS = ['url', 'downloadUrl', 'href', 'mimeType', 'contentType', 'size'] as const

/**
 * Attached files are kept by id and name alone. Their addresses are signed anew for every answer,
 * so that a form loaded twice would otherwise differ from itself.
 */
export function attachmentByIdAndName(value: object): object {
  return isAttachment(value) ? { id: value.id, name: value.name } : value
}

function isAttachment(value: object): value is { id: string | number; name: string } {
  if (!Object.hasOwn(value, 'id') || !Object.hasOwn(value, 'name')) return false
  const { id, name } = value as { id: unknown; name: unknown }
  const isNamed = (typeof id === 'string' || typeof id === 'number') && typeof name === 'string'
  return isNamed && FILE_KEYS.some((key) => Object.hasOwn(value, key))
}
