/**
 * Writes plain data as YAML in block style. Texts are quoted as in JSON, which YAML reads the same
 * way.
 */
export function toYaml(value: unknown, indent = ''): string {
  const inner = `${indent}  `
  if (Array.isArray(value) && value.length > 0) {
    return value.map((item) => `\n${indent}- ${toYaml(item, inner).trimStart()}`).join('')
  }
  if (isObject(value) && Object.keys(value).length > 0) {
    return Object.entries(value)
      .map(([key, member]) => `\n${indent}${yamlKey(key)}:${separated(toYaml(member, inner))}`)
      .join('')
  }
  return JSON.stringify(value)
}

/** A block begins on its own line, a scalar after the colon. */
function separated(text: string): string {
  return text.startsWith('\n') ? text : ` ${text}`
}

function yamlKey(key: string): string {
  return /^[A-Za-z][\w-]*$/.test(key) ? key : JSON.stringify(key)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
