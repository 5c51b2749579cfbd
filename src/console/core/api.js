import { tellOthers } from './elsewhere.js'
import { language } from './language.js'
import { sendWithProgress } from './send.js'

/** Everything lies beside the page: `/console/` and `/sources`. */
const ROOT = new URL('..', document.baseURI)

/** Who asks, and what becomes of them when they are let in no more; each page says it once. */
let caller = { headers: () => ({}), onShutOut: () => undefined }

export function askAs(given) {
  caller = given
}

/** A refusal as the service words it, or what stands for one where nothing answered. */
export class ProblemError extends Error {
  constructor(problem, status = problem.status ?? 0, retryAfter = null) {
    super(problem.detail ?? problem.title ?? String(status))
    this.name = 'ProblemError'
    this.problem = problem
    this.status = status
    this.code = problem.code
    /** How long the service asks to wait before the same is asked again; null: it does not say. */
    this.retryAfterMs = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) * 1000 : null
  }

  /** What is wrong with one field of what was sent. */
  at(pointer) {
    return this.problem.errors?.find((error) => error.pointer === pointer)?.message
  }
}

export const addressOf = (path, query = {}) => {
  const url = new URL(path.replace(/^\//, ''), ROOT)
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) {
      if (one !== undefined && one !== null && one !== '') url.searchParams.append(name, one)
    }
  }
  return url
}

export const headersOf = (more = {}) => ({
  'accept-language': language.value,
  ...caller.headers(),
  ...more,
})

/** The answer itself, for what is not JSON. */
export async function ask(method, path, { query, body, headers, signal } = {}) {
  const isForm = body instanceof FormData
  const isJson = body !== undefined && !isForm
  const response = await fetch(addressOf(path, query), {
    method,
    signal,
    headers: headersOf({ ...(isJson && { 'content-type': 'application/json' }), ...headers }),
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  }).catch((error) => {
    if (signal?.aborted) throw error
    throw new ProblemError({ code: 'Unreachable' })
  })
  if (!response.ok) throw await refusal(response)
  if (method !== 'GET') tellOthers()
  return response
}

async function refusal(response) {
  const text = await response.text().catch(() => '')
  const { status, headers } = response
  const requestId = headers.get('x-request-id')
  return problemOf({ status, text, requestId, retryAfter: headers.get('retry-after') })
}

function problemOf({ status, text, requestId, retryAfter }) {
  if (status === 401) caller.onShutOut()
  let problem = null
  try {
    problem = JSON.parse(text)
  } catch {
    // A proxy answered in the place of the service.
  }
  if (typeof problem?.status !== 'number') problem = { code: 'Unexpected', status, requestId }
  return new ProblemError(problem, status, retryAfter)
}

const read = async (response) => (response.status === 204 ? null : readJson(await response.text()))

export const get = async (path, query, signal) => read(await ask('GET', path, { query, signal }))
export const post = async (path, body, more) => read(await ask('POST', path, { body, ...more }))
export const patch = async (path, body, more) => read(await ask('PATCH', path, { body, ...more }))
export const put = async (path, body) => read(await ask('PUT', path, { body }))
export const del = async (path, body) => read(await ask('DELETE', path, { body }))

/** Numbers that a browser would round stay as they were written. */
function readJson(text) {
  return JSON.parse(text, (_key, value, context) =>
    typeof value === 'number' && context !== undefined && String(value) !== context.source
      ? context.source
      : value,
  )
}

/** Sends a form and tells how much of it is out. */
export async function sendForm(path, form, { method = 'POST', headers, onProgress, signal } = {}) {
  const given = { headers: headersOf(headers), onProgress, signal }
  const answer = await sendWithProgress(method, addressOf(path), form, given)
  if (answer === null) throw new ProblemError({ code: 'Unreachable' })
  if (answer.status >= 300) throw problemOf(answer)
  tellOthers()
  return readJson(answer.text)
}

export const isAbort = (error) => error?.name === 'AbortError'
/** The service is older than the console: it has no such address. */
export const isAbsent = (error) => error?.status === 404 && error.code === 'RouteNotFoundException'
