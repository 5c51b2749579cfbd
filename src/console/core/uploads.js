import { del, isAbort, post, ProblemError } from './api.js'
import { pause } from './pause.js'
import { forThisTab, keptIn } from './kept.js'
import { sendWithProgress } from './send.js'
import { signal } from './ui.js'

/** Uploads that were begun and not ended, so that they go on after the page was loaded again. */
const kept = keptIn(forThisTab, 'console.uploads')
const PARTS_AT_ONCE = 3
const LONGEST_PAUSE_MS = 30_000

/** What waits for its file to be chosen again. */
export const interrupted = signal(kept.read() ?? [])

const keyOf = (file) => `${file.name}/${file.size}/${file.lastModified}`

function remember(entry) {
  interrupted.value = [...interrupted.value.filter(({ key }) => key !== entry.key), entry]
  kept.write(interrupted.value)
}

function forget(key) {
  interrupted.value = interrupted.value.filter((entry) => entry.key !== key)
  kept.write(interrupted.value)
}

export async function giveUp(entry) {
  forget(entry.key)
  await del(`/documents/uploads/${entry.uuid}`)
}

/**
 * Sends a file to the storage in parts, a few at a time, and makes a document of it. A part that
 * fails is sent again until the connection is back; only slices of the file are ever read.
 */
export async function uploadInParts(file, { folderUuid, onProgress, signal: stopped }) {
  const entry = await begin(file, folderUuid)
  const done = new Set(entry.done)
  const sent = new Map()
  const lost = new Set()
  const tell = () => {
    const whole = entry.parts.filter(({ partNumber }) => done.has(partNumber))
    const bytes = whole.reduce((sum, { size }) => sum + size, 0)
    const under = [...sent.values()].reduce((sum, loaded) => sum + loaded, 0)
    onProgress?.(Math.min(file.size, bytes + under), file.size, lost.size > 0)
  }
  tell()
  const waiting = entry.parts.filter(({ partNumber }) => !done.has(partNumber))
  const worker = async () => {
    for (let part = waiting.shift(); part; part = waiting.shift()) {
      const first = (part.partNumber - 1) * entry.partSize
      const slice = file.slice(first, first + part.size)
      await untilSent(slice, part, stopped, (loaded, isLost = false) => {
        sent.set(part.partNumber, loaded)
        lost[isLost ? 'add' : 'delete'](part.partNumber)
        tell()
      })
      sent.delete(part.partNumber)
      lost.delete(part.partNumber)
      done.add(part.partNumber)
      remember({ ...entry, done: [...done] })
      tell()
    }
  }
  try {
    await Promise.all(Array.from({ length: PARTS_AT_ONCE }, worker))
    const document = await post(`/documents/uploads/${entry.uuid}/complete`)
    forget(entry.key)
    return document
  } catch (error) {
    // What was cancelled is given up; what failed may be taken up again.
    if (stopped?.aborted) await giveUp(entry).catch(() => undefined)
    else if (error.status === 404) forget(entry.key)
    throw error
  }
}

async function begin(file, folderUuid) {
  const known = interrupted.value.find(({ key }) => key === keyOf(file))
  if (known && new Date(known.expiresAt) > new Date()) return known
  const upload = await post('/documents/uploads', {
    filename: file.name,
    size: file.size,
    ...(file.type && { contentType: file.type }),
    ...(folderUuid && { folderUuid }),
  })
  const entry = {
    ...upload,
    parts: upload.parts.map((part) => ({ ...part, url: reachable(part.url) })),
    key: keyOf(file),
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
      const isLost = error.status === undefined || error.status === 0 || error.status >= 429
      if (isAbort(error) || !isLost) throw error
      onProgress(0, true)
      await pause(waitMs, stopped)
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
  if (answer.status >= 300) throw new ProblemError({ code: 'PartRefused', status: answer.status })
}
