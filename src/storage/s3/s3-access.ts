import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'

import { StorageError } from '../storage-error.ts'
import { translateS3Error } from './translate-s3-error.ts'

export interface S3Settings {
  readonly bucket: string
  /** Null: AWS itself. */
  readonly endpoint: string | null
  /** Where clients reach the server when `endpoint` is internal; links are made for it. */
  readonly publicEndpoint: string | null
  readonly region: string
  readonly forcePathStyle: boolean
  /** Null: the default chain of the AWS SDK (environment, profile, role). */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null
  /** For one attempt up to its answer, and for a download that stands still. */
  readonly requestTimeoutMs?: number
  readonly maxAttempts?: number
  readonly partBytes?: number
  /** Parts of one upload under way at once: memory per upload is about one part more than this. */
  readonly partConcurrency?: number
}

const DEFAULT_REQUEST_TIMEOUT_MS = 30_000
const DEFAULT_MAX_ATTEMPTS = 3
const CONNECTION_TIMEOUT_MS = 5_000
/**
 * All attempts at one call together, in times of one: a server that does not answer at all is not
 * waited for again and again, since whoever asks gives up after a minute.
 */
const DEADLINE_IN_ATTEMPTS = 1.5
const MAX_SOCKETS = 128

export interface S3Access {
  readonly client: S3Client
  /** Makes addresses and sends nothing. */
  readonly linkClient: S3Client
  readonly requestTimeoutMs: number
  /** Runs one call with all its attempts under one deadline, and translates what goes wrong. */
  call<T>(
    send: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal | undefined,
    limits?: { readonly deadlineMs: number },
  ): Promise<T>
}

export function openS3Access(settings: S3Settings): S3Access {
  const requestTimeoutMs = settings.requestTimeoutMs ?? DEFAULT_REQUEST_TIMEOUT_MS
  const maxAttempts = settings.maxAttempts ?? DEFAULT_MAX_ATTEMPTS
  const common = clientConfig(settings, requestTimeoutMs, maxAttempts)
  const linkEndpoint = settings.publicEndpoint ?? settings.endpoint

  return {
    client: new S3Client({
      ...common,
      ...(settings.endpoint !== null && { endpoint: settings.endpoint }),
    }),
    linkClient: new S3Client({
      ...common,
      ...(linkEndpoint !== null && { endpoint: linkEndpoint }),
      // Otherwise an address for a PUT carries the checksum of an empty body.
      requestChecksumCalculation: 'WHEN_REQUIRED',
    }),
    requestTimeoutMs,
    async call(send, signal, limits) {
      const deadlineMs = limits?.deadlineMs ?? DEADLINE_IN_ATTEMPTS * requestTimeoutMs
      const deadline = new AbortController()
      const timer = setTimeout(() => deadline.abort(), deadlineMs)
      try {
        signal?.throwIfAborted()
        return await send(signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal)
      } catch (error) {
        signal?.throwIfAborted()
        if (deadline.signal.aborted) {
          throw new StorageError('unavailable', 'The object storage is too slow', { cause: error })
        }
        throw translateS3Error(error)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

function clientConfig(
  settings: S3Settings,
  requestTimeoutMs: number,
  maxAttempts: number,
): S3ClientConfig {
  return {
    region: settings.region,
    forcePathStyle: settings.forcePathStyle,
    ...(settings.credentials && { credentials: { ...settings.credentials } }),
    maxAttempts,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: requestTimeoutMs,
      throwOnRequestTimeout: true,
      // An idle socket is a slow reader as often as a dead server: `open-body.ts` tells them apart.
      socketTimeout: 0,
      httpAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
      httpsAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
    },
    // The SDK's checking stream does not close the connection when its reader goes away.
    responseChecksumValidation: 'WHEN_REQUIRED',
  }
}
