import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import * as buckets from './bucket-calls.ts'
import { type Call, createFaultPlan, type Fault, type Operation } from './faults.ts'
import * as multipart from './multipart-calls.ts'
import * as objects from './object-calls.ts'
import { routeOf } from './route.ts'
import { S3Problem } from './s3-problem.ts'
import { sendAnswer } from './send-answer.ts'
import { openShelves } from './shelves.ts'
import { type Credentials, verifySignature } from './signature-v4.ts'
import { writeXml } from './xml.ts'

export type { Call, Fault, Operation } from './faults.ts'

const TEST_CREDENTIALS: Credentials = { accessKeyId: 'test-key', secretAccessKey: 'test-secret' }

interface S3ServerOptions extends Partial<Credentials> {
  /** Default: a free one. */
  readonly port?: number
  readonly buckets: readonly string[]
  readonly now?: () => number
  /** The rule of its buckets for browsers; default: none. */
  readonly corsOrigin?: string
}

/**
 * An S3 server for tests: a real listener on loopback that speaks the protocol strictly (signatures,
 * checksums and lengths are verified, what it does not know it refuses) and fails as scripted.
 */
export interface S3Server {
  readonly endpoint: string
  /** What leads the service here and into the first bucket, by their environment names. */
  readonly settings: Readonly<Record<string, string>>
  /** Every request that reached it with a good signature, oldest first. */
  readonly calls: Call[]
  callsOf(operation: Operation): Call[]
  /** Requests that it refused for their signature or for being unknown: code and message. */
  readonly refusals: string[]
  addFault(fault: Fault): void
  clearFaults(): void
  keysIn(bucket: string): string[]
  openUploadsIn(bucket: string): string[]
  close(): Promise<void>
}

const HANDLERS: Readonly<
  Record<Operation, (exchange: objects.Exchange) => Promise<objects.Answer>>
> = {
  HeadBucket: buckets.headBucket,
  CreateBucket: buckets.createBucket,
  ListObjectsV2: buckets.listObjects,
  ListMultipartUploads: buckets.listUploads,
  DeleteObjects: objects.deleteObjects,
  PutObject: objects.putObject,
  GetObject: objects.getObject,
  HeadObject: objects.headObject,
  DeleteObject: objects.deleteObject,
  CreateMultipartUpload: multipart.createUpload,
  UploadPart: multipart.uploadPart,
  ListParts: multipart.listParts,
  CompleteMultipartUpload: multipart.completeUpload,
  AbortMultipartUpload: multipart.abortUpload,
}

export async function startS3Server(given: S3ServerOptions): Promise<S3Server> {
  const options = { ...TEST_CREDENTIALS, ...given }
  const { now = Date.now } = options
  const shelves = await openShelves(options.buckets)
  const plan = createFaultPlan()
  const calls: Call[] = []
  const refusals: string[] = []

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const method = request.method ?? ''
    if (method === 'OPTIONS') return answerBrowser(request, response, options.corsOrigin)
    const [rawPath = '', rawQuery = ''] = (request.url ?? '').split('?')
    let call: Call | undefined
    try {
      const { headers } = request
      const entries = readQuery(rawQuery)
      const query = new Map(entries)
      const signed = { method, rawPath, query: entries, headers }
      const payloadHash = verifySignature(signed, options, now())
      const route = routeOf(method, rawPath, query)
      call = {
        operation: route.operation,
        bucket: route.bucket,
        key: route.key || null,
        status: null,
      }
      calls.push(call)
      const fault = plan.meet(call)
      if (fault) call.fault = fault.kind
      if (fault?.kind === 'answer') {
        throw new S3Problem(fault.status, fault.code, 'Scripted by the test')
      }
      if (fault && 'when' in fault && fault.when === 'before') return breakOff(request, fault)

      const note = (keys: readonly string[]) => Object.assign(call!, { keys })
      const exchange = { request, query, route, payloadHash, shelves, fault, note }
      const answer = await HANDLERS[route.operation](exchange)
      if (fault && 'when' in fault) return breakOff(request, fault)
      call.status = answer.status
      await sendAnswer(response, answer, fault)
    } catch (error) {
      if (request.destroyed && !request.complete) return
      const problem = asProblem(error)
      if (call) call.status = problem.status
      else refusals.push(`${problem.code}: ${problem.message}`)
      sendProblem(request, response, problem)
    }
  }

  const server = createServer((request, response) => void handle(request, response))
  server.requestTimeout = 0
  // A client that is kept waiting finds its connection again.
  server.keepAliveTimeout = 0
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')

  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    endpoint,
    settings: {
      S3_BUCKET: options.buckets[0]!,
      S3_ENDPOINT: endpoint,
      S3_REGION: 'us-east-1',
      S3_FORCE_PATH_STYLE: 'true',
      S3_ACCESS_KEY_ID: options.accessKeyId,
      S3_SECRET_ACCESS_KEY: options.secretAccessKey,
    },
    calls,
    callsOf: (operation) => calls.filter((call) => call.operation === operation),
    refusals,
    addFault: plan.add,
    clearFaults: plan.clear,
    keysIn: (bucket) => [...shelves.bucket(bucket).objects.keys()],
    openUploadsIn: (bucket) => [...shelves.bucket(bucket).uploads.values()].map(({ key }) => key),
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
      await shelves.close()
    },
  }
}

function answerBrowser(request: IncomingMessage, response: ServerResponse, origin?: string): void {
  const isAllowed =
    request.headers.origin === origin && request.headers['access-control-request-method'] === 'PUT'
  if (!isAllowed) return void response.writeHead(403).end()
  response
    .writeHead(200, {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, PUT',
    })
    .end()
}

function breakOff(request: IncomingMessage, fault: Fault): void {
  // A hang leaves the connection to the client's patience.
  if (fault.kind === 'reset') request.socket.resetAndDestroy()
}

/** Each name once; S3 escapes a plus sign and never writes one for a space. */
function readQuery(raw: string): (readonly [string, string])[] {
  if (raw === '') return []
  return raw.split('&').map((pair) => {
    const [name = '', value = ''] = pair.split('=').map(decodeURIComponent)
    return [name, value] as const
  })
}

function asProblem(error: unknown): S3Problem {
  if (error instanceof S3Problem) return error
  if (error instanceof URIError) return new S3Problem(400, 'InvalidURI', error.message)
  return new S3Problem(500, 'InternalError', error instanceof Error ? error.stack : String(error))
}

function sendProblem(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message }: S3Problem,
): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  // The rest of a refused body is not waited for.
  const isReadToEnd = request.complete
  response.writeHead(status, {
    'Content-Type': 'application/xml',
    ...(!isReadToEnd && { Connection: 'close' }),
  })
  const root = [
    'Error',
    [
      ['Code', code],
      ['Message', message],
    ],
  ] as const
  response.end(request.method === 'HEAD' ? '' : writeXml(root))
  if (!isReadToEnd) request.resume()
}
