import { createRequire } from 'node:module'

import { pino, type DestinationStream, type Logger } from 'pino'
import type { PinoPretty } from 'pino-pretty'

import { GatheredLines } from './gathered-lines.ts'
import { lineForPeople } from './line-for-people.ts'

export type { Logger } from 'pino'

type LogStream = 'stderr' | 'stdout'

const DESCRIPTORS: Readonly<Record<LogStream, number>> = { stdout: 1, stderr: 2 }

interface LoggerOptions {
  readonly level: string
  /** Readable lines for a terminal, JSON otherwise. */
  readonly pretty: boolean
  readonly stream?: LogStream
}

/** Values that are logged by mistake under one of these names are not written. */
const SECRET_FIELDS = [
  'password',
  'apiKey',
  'api_key',
  'token',
  'secret',
  'authorization',
  'signature',
  'cookie',
]
const HEADER_FIELDS = [
  'authorization',
  'x-app-access-token',
  'x-delivery-token',
  'x-api-key',
  'cookie',
]

const REDACTED_PATHS = [
  ...SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
  ...HEADER_FIELDS.map((header) => `*.headers["${header}"]`),
]

const CAUSES_SHOWN = 5

/**
 * Logs the stack of an error and its causes. Drivers attach whole connections to their errors,
 * which are left out.
 */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  const { code } = error as NodeJS.ErrnoException
  return {
    type: name,
    message,
    ...(code !== undefined && { code }),
    stack,
    ...(cause !== undefined && depth < CAUSES_SHOWN && { cause: describeError(cause, depth + 1) }),
  }
}

/** The format of pino; everything but the milliseconds is computed once per second. */
function isoTime(): () => string {
  let second = -1
  let prefix = ''
  return () => {
    const now = Date.now()
    const current = Math.floor(now / 1000)
    if (current !== second) {
      second = current
      prefix = new Date(now).toISOString().slice(0, -'000Z'.length)
    }
    return `,"time":"${prefix}${String(now - current * 1000).padStart(3, '0')}Z"`
  }
}

/** Loaded only for a terminal. One line an event. */
function prettyLines(destination: number): DestinationStream {
  const require = createRequire(import.meta.url)
  const pretty = require('pino-pretty') as typeof PinoPretty
  return pretty({
    destination,
    sync: true,
    singleLine: true,
    include: 'time,level',
    messageFormat: lineForPeople,
  })
}

export function createLogger(options: LoggerOptions, destination?: DestinationStream): Logger {
  const dest = DESCRIPTORS[options.stream ?? 'stderr']
  const stream = destination ?? (options.pretty ? prettyLines(dest) : GatheredLines.of(dest))
  return pino(
    {
      level: options.level,
      redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
      timestamp: isoTime(),
      base: null,
      serializers: { err: (error: unknown) => describeError(error) },
    },
    stream,
  )
}
