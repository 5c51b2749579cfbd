import { ask, isAbort } from './api.js'

/**
 * A file of an address that needs the token. Where the browser can, it goes to the disk as it comes;
 * else it is held until it is whole.
 */
export async function download(path, query, name, signal) {
  const target = await chooseFile(name)
  if (target === 'cancelled') return
  const response = await ask('GET', path, { query, signal })
  if (target) {
    await response.body.pipeTo(await target.createWritable(), { signal })
    return
  }
  save(URL.createObjectURL(await response.blob()), name)
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The workbook that answers what is sent. */
export async function sendForFile(path, body, name) {
  const response = await ask('POST', path, { body, headers: { accept: XLSX } })
  save(URL.createObjectURL(await response.blob()), name)
}

async function chooseFile(name) {
  if (!globalThis.showSaveFilePicker) return null
  try {
    return await globalThis.showSaveFilePicker({ suggestedName: name })
  } catch (error) {
    return isAbort(error) ? 'cancelled' : null
  }
}

export const saveText = (text, name, type) =>
  save(URL.createObjectURL(new Blob([text], { type })), name)

function save(url, name) {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Not before the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** A temporary link that needs no token. */
export function openLink(url, name) {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.rel = 'noreferrer'
  link.click()
}
