import type { Access } from '../../../domain/actor.ts'
import type { IncomingFile } from '../../../domain/uploads/read-while-storing.ts'
import {
  type FieldError,
  fieldMessages,
  invalidField,
  invalidFields,
  ValidationException,
} from '../../../errors/index.ts'
import { bodyMessages } from '../../body/body-messages.ts'
import { isMultipart, type FormUpload, readMultipart } from '../../body/multipart.ts'
import { uploadFingerprint } from '../../body/upload-fingerprint.ts'
import type { RouteRequest } from '../../define-route.ts'
import { parseStrictJson } from '../../strict-json.ts'
import { requestMessages } from '../../request-messages.ts'

type AnyRequest = Pick<
  RouteRequest<Access, unknown, unknown, unknown>,
  'incoming' | 'uploadLimits' | 'signal' | 'readJson' | 'rememberFingerprint'
>

/** What was sent and has not been checked: the JSON body, or the fields of a form and its file. */
interface SourceBody {
  readonly fields: unknown
  readonly file: IncomingFile | null
}

export async function readSourceBody(request: AnyRequest): Promise<SourceBody> {
  const { incoming } = request
  if (isMultipart(incoming)) {
    const upload = await readMultipart(incoming, request.uploadLimits)
    return { fields: parseFields(upload.fields), file: await incomingFile(request, upload) }
  }
  return { fields: (await request.readJson()) ?? {}, file: null }
}

async function incomingFile(
  request: AnyRequest,
  { fields, file, finished }: FormUpload,
): Promise<IncomingFile | null> {
  if (file === null) {
    request.rememberFingerprint(uploadFingerprint(fields, '', ''))
    return null
  }
  return {
    ...file,
    finished,
    signal: request.signal,
    onStored: ({ sha256 }) =>
      request.rememberFingerprint(uploadFingerprint(fields, file.filename, sha256)),
  }
}

/** Fields of a form are text; those that represent something else are parsed before they are checked. */
function parseFields(fields: ReadonlyMap<string, string>): Record<string, unknown> {
  return Object.fromEntries([...fields].map(([name, text]) => [name, parseField(name, text)]))
}

function parseField(name: string, text: string): unknown {
  if (name === 'options' || name === 'mapping') return parseJson(name, text)
  if (FLAGS.has(name) && (text === 'true' || text === 'false')) return text === 'true'
  if (name === 'enterpriseId' && /^\d{1,10}$/.test(text)) return Number(text)
  return text
}

const FLAGS: ReadonlySet<string> = new Set(['publish', 'remember'])

function parseJson(name: string, text: string): unknown {
  try {
    return parseStrictJson(Buffer.from(text)) ?? {}
  } catch (error) {
    throw invalidField(`/${name}`, requestMessages.optionsJson(), error)
  }
}

/** A field of the form itself, not something inside one. */
const IN_THE_FORM = /^\/[^/]+$/

/** What is missing when the file begins may follow it, but is not read there. */
export function beforeFile<Given>(check: () => Given): Given {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof ValidationException)) throw error
    const told = (error.extras.errors ?? []) as readonly FieldError[]
    const isRequired = ({ pointer, message }: FieldError) =>
      message.code === fieldMessages.required.code && IN_THE_FORM.test(pointer)
    if (!told.some(isRequired)) throw error
    const requiredBefore = (one: FieldError) =>
      isRequired(one) ? { ...one, message: bodyMessages.requiredBeforeFile() } : one
    throw invalidFields(told.map(requiredBefore), error)
  }
}

/** A form has to contain the file; JSON names a document instead. */
export function fileRequired({ incoming }: Pick<AnyRequest, 'incoming'>) {
  return invalidField(isMultipart(incoming) ? '/file' : '/documentUuid', fieldMessages.required())
}
