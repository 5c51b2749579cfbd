import type { Spoil } from './attack.ts'

const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['idempotency-key', 'x'.repeat(300)],
  ['idempotency-key', 'tab\there'],
  ['idempotency-key', 'caf\u00e9'],
  ['x-request-id', '{"level":60}'],
  ['x-request-id', 'x'.repeat(5000)],
  ['x-app-access-token', 'eyJhbGciOiJub25lIn0.e30.'],
  ['x-app-access-token', 'x'.repeat(7000)],
  ['authorization', 'Basic YTpi'],
  ['authorization', 'Bearer'],
  ['prefer', 'respond-async=;;;,,,='],
  ['prefer', 'wait=-1'],
  ['accept', 'application/xml;q=nonsense'],
  ['accept-encoding', 'identity;q=0, *;q=0'],
  ['if-none-match', '"'.repeat(2000)],
  ['if-modified-since', 'yesterday'],
  ['range', 'bytes=-1-,5-2,99999999999999-'],
  ['last-event-id', "'; drop table jobs"],
  ['x-forwarded-for', '127.0.0.1, ::1, nonsense'],
  ['host', 'attacker.test'],
  ['origin', 'null'],
  ['x-http-method-override', 'DELETE'],
  ['content-disposition', 'attachment'],
  ['x-filename', '%E0%A4%A'],
  ['x-folder-uuid', '../..'],
]

export const spoilHeader: Spoil = (draft, _operation, random) => {
  const [name, value] = random.pick(HEADERS)
  draft.headers[name] = value
  draft.what = `${name}: ${value.slice(0, 40)}`
  return true
}

export const spoilMethod: Spoil = (draft, operation, random) => {
  draft.method = random.pick([
    'PUT',
    'PATCH',
    'OPTIONS',
    'HEAD',
    'DELETE',
    'TRACE',
    'PROPFIND',
    'POST',
  ])
  draft.what = `method ${draft.method}`
  return draft.method !== operation.method
}
