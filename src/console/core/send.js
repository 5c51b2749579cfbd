/** Sends a body with its progress, which `fetch` does not tell. Null stands for no answer at all. */
export async function sendWithProgress(method, url, body, { headers = {}, onProgress, signal }) {
  signal?.throwIfAborted()
  const request = new XMLHttpRequest()
  const stop = () => request.abort()
  request.open(method, url)
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(loaded, total))
  const ended = new Promise((resolve) => {
    request.addEventListener('loadend', resolve, { once: true })
  })
  signal?.addEventListener('abort', stop, { once: true })
  request.send(body)
  await ended
  signal?.removeEventListener('abort', stop)
  signal?.throwIfAborted()
  if (request.status === 0) return null
  // Asked for by name, a browser complains of it where another origin does not show it.
  const answered = request.getAllResponseHeaders()
  return {
    status: request.status,
    text: request.responseText,
    requestId: /^x-request-id: (.*)$/im.exec(answered)?.[1] ?? null,
    retryAfter: /^retry-after: (.*)$/im.exec(answered)?.[1] ?? null,
  }
}
