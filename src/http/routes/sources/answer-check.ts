import type { Checked, SayMessage } from '../../../domain/sources/sources.ts'
import { attachmentDisposition } from '../../../storage/content-disposition.ts'
import { Reply, type ResponseSpec } from '../../define-route.ts'
import { ATTACHMENT } from '../../openapi/headers.ts'
import { checkSchema, presentCheck } from '../../presenters/present-check.ts'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const MACROS = 'application/vnd.ms-excel.sheet.macroEnabled.12'

/** The answers of every check: what is wrong as JSON, or the file with what is wrong marked. */
export const CHECK_RESPONSE: ResponseSpec = {
  description: 'What is wrong with it; as a workbook, the file with what is wrong marked in it',
  schema: checkSchema,
  files: { [XLSX]: null, [MACROS]: null },
  headers: ATTACHMENT,
}

export const FILE_BACK_TOLD =
  'With `Accept: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet` the file comes ' +
  'back: the workbook that was sent, or one of the rows of any other file, with the cells at fault ' +
  'filled and noted, and with a first sheet that lists them. Corrected and sent again it loads.'

interface Asking {
  header(name: string): string | undefined
  readonly say: SayMessage
}

/** How to say what is wrong in a workbook; undefined: JSON is wanted. */
export function backOf(request: Asking): SayMessage | undefined {
  const types = (request.header('accept') ?? '').toLowerCase().split(',')
  return types.some((type) => type.split(';', 1)[0]!.trim() === XLSX) ? request.say : undefined
}

export function answerCheck({ judgement, file, shape }: Checked, language: string): unknown {
  if (file === null) return presentCheck(judgement, shape)
  return new Reply(200, file.stream, {
    'content-type': file.contentType,
    'content-language': language,
    'content-disposition': attachmentDisposition(file.filename),
  })
}
