import { readFileSync } from 'node:fs'

const MINIMUM_NODE_MAJOR = 24

export function serviceVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** Why this process cannot run the service; null when it can. */
export function tooOldNode(version: string): string | null {
  const major = Number(/^v(\d+)/.exec(version)?.[1] ?? 0)
  if (major >= MINIMUM_NODE_MAJOR) return null
  return (
    `Node ${MINIMUM_NODE_MAJOR} or newer is needed and this is ${version}. ` +
    'Start with "npm start": it uses the Node that "npm ci" installed.'
  )
}
