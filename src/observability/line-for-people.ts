/** Shown elsewhere in the line. */
const SHOWN_BEFORE = new Set(['level', 'time', 'msg'])
const OF_REQUEST = new Set(['method', 'path', 'route', 'status', 'durationMs'])
const MOST_CAUSES = 5

/**
 * An event of the log as one line for whoever looks at a terminal: what happened, then its fields
 * as `name=value`. Of an error it shows what it says and where it comes from; the whole stack is in
 * the JSON of a log that is piped.
 */
export function lineForPeople(event: Readonly<Record<string, unknown>>): string {
  const isRequest = event['msg'] === 'request' && typeof event['path'] === 'string'
  const said = isRequest
    ? `${shown(event['method'])} ${shown(event['path'])} ${shown(event['status'])} in ${shown(event['durationMs'])} ms`
    : shown(event['msg'])
  const fields = Object.entries(event)
    .filter(([name]) => !SHOWN_BEFORE.has(name) && !(isRequest && OF_REQUEST.has(name)))
    .map(([name, value]) => `${name}=${name === 'err' ? errorInWords(value) : shown(value)}`)
  return [said, ...fields].join(' ')
}

/** A value on one line, whatever it contains. */
function shown(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'none'
  return /[\p{Cc}]/u.test(value) ? JSON.stringify(value) : value
}

function errorInWords(error: unknown): string {
  const said: string[] = []
  let current = error
  while (isDescribed(current) && said.length < MOST_CAUSES) {
    said.push(shown(`${current.type}: ${current.message}`))
    current = current.cause
  }
  if (!isDescribed(error)) return shown(error)
  const place = /^\s+at (.+)$/m.exec(error.stack ?? '')?.[1]
  return `${said.join(', because of ')}${place === undefined ? '' : ` (at ${place})`}`
}

interface DescribedError {
  readonly type: string
  readonly message: string
  readonly stack?: string
  readonly cause?: unknown
}

const isDescribed = (error: unknown): error is DescribedError =>
  typeof error === 'object' && error !== null && 'type' in error && 'message' in error
