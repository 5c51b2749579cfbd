import type { ObjectStore } from '../../storage/object-store.ts'

const ANSWER_WITHIN_MS = 10_000

/**
 * Whether browsers that have the console from this origin may send parts to the bucket: they ask
 * before, and the bucket answers by its CORS rule. Only asked; nothing is sent.
 */
export async function mayBrowsersUpload(
  store: ObjectStore,
  origin: string,
  signal: AbortSignal,
): Promise<boolean> {
  const link = await store.presignPart({
    bucket: store.defaultBucket,
    key: 'documents/asked-for-its-rule',
    uploadId: 'none',
    partNumber: 1,
    sizeBytes: 1,
    expiresInSeconds: 60,
  })
  const answer = await fetch(link, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'PUT' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
  })
  await answer.body?.cancel()
  const allowed = answer.headers.get('access-control-allow-origin')
  const methods = (answer.headers.get('access-control-allow-methods') ?? '')
    .split(',')
    .map((method) => method.trim())
  const isForUs = allowed === '*' || allowed === origin
  return answer.ok && isForUs && (methods.includes('PUT') || methods.includes('*'))
}
