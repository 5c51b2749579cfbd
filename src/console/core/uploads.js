import { del, get, isAbort, post, ProblemError, sendForm } from './api.js'
import { forThisTab, keptIn } from './kept.js'
import { pause } from './pause.js'
import { sendWithProgress } from './send.js'
import { computed, signal } from './ui.js'
import { whenTold } from './when-free.js'

/** Uploads that were begun and not ended, so that they go on after the page was loaded again. */
const kept = keptIn(forThisTab, 'console.uploads')
const begun = signal(kept.read() ?? [])
/** Which document each of the last files became: it is not sent and kept twice. */
const keptSent = keptIn(forThisTab, 'console.sent')
const MOST_SENT = 50
const PARTS_AT_ONCE = 3
const LONGEST_PAUSE_MS = 30_000
/** Larger files go in parts, which survive a lost connection. */
const WHOLE_BYTES = 8 * 1024 * 1024

export const isForParts = (file) => file.size > WHOLE_BYTES

/** Where uploads are begun, and how one that was completed is found again. */
const DOCUMENTS = {
  at: '/documents/uploads',
  findSent: (uuid, stopped) => get(`/documents/${uuid}`, {}, stopped),
}

/**
 * What is on its way, whatever is shown: `{ key, file, folderUuid, done, total, stall, problem }`. It stalls where the
 * connection is `lost`, and where the service is `busy`; both pass.
 */
export const underWay = signal([])

/** What waits for its file to be chosen again. */
const interrupted = computed(() =>
  begun.value.filter(({ key }) => !underWay.value.some((upload) => upload.key === key)),
)

export const interruptedAt = (at = DOCUMENTS.at) =>
  interrupted.value.filter((entry) => entry.at === at)

/** Why somebody stopped asking who has only gone on to something else: what was begun goes on. */
export const LEFT = new DOMException('Nobody looks any more', 'AbortError')

const keyOf = (file, folderUuid = '', { at } = DOCUMENTS) =>
  [file.name, file.size, file.lastModified, folderUuid, at].join('/')

function change(key, changes) {
  underWay.value = underWay.value.map((upload) =>
    upload.key === key ? { ...upload, ...changes } : upload,
  )
}

/** Takes an upload out of sight. */
export function dismissUpload(key) {
  underWay.value = underWay.value.filter((upload) => upload.key !== key)
}

/** Ends the upload of a file that nobody wants any more. */
export function stopUpload(file) {
  underWay.value.find((upload) => upload.file === file)?.stop()
}

/**
 * Sends a file and makes a document of it, which goes on whatever is shown meanwhile. Null stands
 * for one that was cancelled, or that failed: it stays in sight, and may be tried again.
 */
export async function sendDocument(file, folderUuid) {
  const key = keyOf(file, folderUuid)
  try {
    return await send(file, folderUuid)
  } catch (problem) {
    if (isAbort(problem)) dismissUpload(key)
    else change(key, { problem })
    return null
  }
}

/** For whoever tells of its progress and its failure; a small file goes in parts, too. */
export async function uploadInParts(file, { onProgress, signal: stopped, to } = {}) {
  const key = keyOf(file, undefined, to)
  const ended = send(file, undefined, { inParts: true, to })
  const unfollow = underWay.subscribe((uploads) => {
    const { done, total, stall } = uploads.find((upload) => upload.key === key) ?? {}
    if (total !== undefined) onProgress?.(done, total, stall ?? null)
  })
  const stop = () => {
    if (stopped.reason !== LEFT) underWay.value.find((upload) => upload.key === key)?.stop()
  }
  stopped?.addEventListener('abort', stop, { once: true })
  try {
    return await ended
  } catch (problem) {
    dismissUpload(key)
    throw problem
  } finally {
    unfollow()
    stopped?.removeEventListener('abort', stop)
  }
}

/** The end of each, by its key: whoever sends the same file again joins the one that goes on. */
const ends = new Map()

function send(file, folderUuid, { inParts = isForParts(file), to = DOCUMENTS } = {}) {
  const key = keyOf(file, folderUuid, to)
  if (!ends.has(key)) {
    const ended = begin({ key, file, folderUuid, inParts, to }).finally(() => ends.delete(key))
    ends.set(key, ended)
  }
  return ends.get(key)
}

async function begin({ key, file, folderUuid, inParts, to }) {
  const stop = new AbortController()
  const upload = { key, file, folderUuid, done: 0, total: file.size, stop: () => stop.abort() }
  underWay.value = [...underWay.value.filter((other) => other.key !== key), upload]
  const given = {
    folderUuid,
    to,
    signal: stop.signal,
    onProgress: (done, total, stall) => change(key, { done, total, stall }),
  }
  const document = await (inParts ? sendOnce(file, key, given) : sendWhole(file, given))
  dismissUpload(key)
  return document
}

function sendWhole(file, { folderUuid, ...given }) {
  const form = new FormData()
  if (folderUuid) form.append('folderUuid', folderUuid)
  form.append('file', file, file.name)
  return sendForm('/documents', form, given)
}

/** What was sent before and is still there is that document. */
async function sendOnce(file, key, given) {
  const sent = (keptSent.read() ?? []).find((entry) => entry.key === key)
  try {
    if (sent) return await given.to.findSent(sent.uuid, given.signal)
  } catch (problem) {
    if (problem.status !== 404) throw problem
  }
  const document = await sendParts(file, key, given)
  const others = (keptSent.read() ?? []).filter((entry) => entry.key !== key)
  keptSent.write([...others, { key, uuid: document.uuid }].slice(-MOST_SENT))
  return document
}

/** Of a file that was sent and is wanted no more; what cannot be given up now ends by itself. */
export function discardSent(file, to) {
  const key = keyOf(file, undefined, to)
  const all = keptSent.read() ?? []
  const sent = all.find((entry) => entry.key === key)
  if (!sent) return
  keptSent.write(all.filter((entry) => entry !== sent))
  del(`${to.at}/${sent.uuid}`).catch(() => undefined)
}

function remember(entry) {
  begun.value = [...begun.value.filter(({ key }) => key !== entry.key), entry]
  kept.write(begun.value)
}

function forget(key) {
  begun.value = begun.value.filter((entry) => entry.key !== key)
  kept.write(begun.value)
}

export async function giveUp(entry) {
  forget(entry.key)
  await del(`${entry.at}/${entry.uuid}`)
}

/** A few parts at a time; one that fails is sent again. Only slices of the file are ever read. */
async function sendParts(file, key, { folderUuid, to, onProgress, signal: stopped }) {
  const entry = await entryOf(file, key, { folderUuid, to })
  const done = new Set(entry.done)
  const sent = new Map()
  const stalled = new Map()
  const tell = () => {
    const whole = entry.parts.filter(({ partNumber }) => done.has(partNumber))
    const bytes = whole.reduce((sum, { size }) => sum + size, 0)
    const under = [...sent.values()].reduce((sum, loaded) => sum + loaded, 0)
    const [stall = null] = stalled.values()
    onProgress(Math.min(file.size, bytes + under), file.size, stall)
  }
  tell()
  const left = entry.parts.filter(({ partNumber }) => !done.has(partNumber))
  const worker = async () => {
    for (let part = left.shift(); part; part = left.shift()) {
      const first = (part.partNumber - 1) * entry.partSize
      const slice = file.slice(first, first + part.size)
      await untilSent(slice, part, stopped, (loaded, stall = null) => {
        sent.set(part.partNumber, loaded)
        if (stall) stalled.set(part.partNumber, stall)
        else stalled.delete(part.partNumber)
        tell()
      })
      sent.delete(part.partNumber)
      stalled.delete(part.partNumber)
      done.add(part.partNumber)
      remember({ ...entry, done: [...done] })
      tell()
    }
  }
  try {
    await Promise.all(Array.from({ length: PARTS_AT_ONCE }, worker))
    const document = await post(`${to.at}/${entry.uuid}/complete`)
    forget(entry.key)
    return document
  } catch (error) {
    // What was cancelled is given up; what failed may be taken up again.
    if (stopped.aborted) await giveUp(entry).catch(() => undefined)
    else if (error.status === 404) forget(entry.key)
    throw error
  }
}

async function entryOf(file, key, { folderUuid, to: { at } }) {
  const known = begun.value.find((entry) => entry.key === key)
  if (known && new Date(known.expiresAt) > new Date()) return known
  const upload = await post(at, {
    filename: file.name,
    size: file.size,
    ...(file.type && { contentType: file.type }),
    ...(folderUuid && { folderUuid }),
  })
  const entry = {
    ...upload,
    at,
    parts: upload.parts.map((part) => ({ ...part, url: reachable(part.url) })),
    key,
    name: file.name,
    size: file.size,
    done: [],
  }
  remember(entry)
  return entry
}

/** The service may be known here under another name than the one it knows itself by. */
function reachable(url) {
  if (document.documentElement.dataset.uploadOrigin !== '') return url
  const { pathname, search } = new URL(url)
  return new URL(`..${pathname}${search}`, document.baseURI).href
}

async function untilSent(slice, { url }, stopped, onProgress) {
  for (let waitMs = 1000; ; waitMs = Math.min(LONGEST_PAUSE_MS, waitMs * 2)) {
    try {
      await sendPart(slice, url, stopped, (loaded) => onProgress(loaded))
      return
    } catch (error) {
      const isBusy = error.status >= 429
      if (isAbort(error) || !(isBusy || !error.status)) throw error
      onProgress(0, isBusy ? 'busy' : 'lost')
      await pause(Math.max(waitMs, whenTold(error) ?? 0), stopped)
    }
  }
}

async function sendPart(slice, url, stopped, onProgress) {
  // Without a type of its own: the link is signed for none.
  const answer = await sendWithProgress('PUT', url, new Blob([slice]), {
    onProgress,
    signal: stopped,
  })
  if (answer === null) throw new ProblemError({ code: 'Unreachable' })
  const { status, retryAfter } = answer
  if (status >= 300) throw new ProblemError({ code: 'PartRefused' }, status, retryAfter)
}
