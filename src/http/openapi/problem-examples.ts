import type { Static } from 'typebox'

import { Catalogue, type Message } from '../../../pipelines/index.ts'
import type * as problems from '../../errors/index.ts'
import { fieldMessages, problemDocument, PROBLEMS } from '../../errors/index.ts'
import { exampleReject } from '../presenters/example-table.ts'
import type { ProblemDocument, ProblemMembers, problemSchema } from '../../resources/problem.ts'
import { authMessages } from '../../domain/auth/auth-messages.ts'
import { folderMessages } from '../../domain/folders/folder-messages.ts'
import { documentMessages } from '../../domain/documents/document-messages.ts'
import { tableMessages } from '../../stack/table/table-messages.ts'
import { sourceMessages } from '../../domain/sources/source-messages.ts'
import { connectorMessages } from '../../connectors/connector-messages.ts'
import { bodyMessages } from '../body/body-messages.ts'
import { validationMessages } from '../validation-messages.ts'
import { serviceMessages } from '../../errors/service-messages.ts'

type Code = Extract<keyof typeof problems, `${string}Exception`>

type Members = ProblemMembers & Pick<ProblemDocument, 'errors'>

const REQUEST_ID = '6e0c3f0a-9f1b-4d63-8b1e-2f4f4f9f5c10'

const field = (pointer: string, message: string | Message): Members => ({
  errors: [{ pointer, message }],
})

const { id: _id, raw: _raw, ...cell } = exampleReject

/** What a problem says if that is more than its title. It is never thrown, so plain text will do. */
const SAID: Readonly<
  Partial<Record<Code, readonly [detail: string | Message, members?: Members]>>
> = {
  ValidationException: [
    fieldMessages.field({ pointer: '/query/perPage', message: validationMessages.unknown() }),
    field('/query/perPage', validationMessages.unknown()),
  ],
  MalformedBodyException: [bodyMessages.malformedJson()],
  RequestTimeoutException: [bodyMessages.stalled({ seconds: 30 })],
  PayloadTooLargeException: [bodyMessages.tooLarge({ most: 1_048_576 })],
  UnsupportedMediaTypeException: [bodyMessages.notJson()],
  TooManyRequestsException: [authMessages.tryAgain({ seconds: 840 })],
  ShareExceededException: [
    'You are using your share of the uploads that this process handles at once: 8',
  ],
  PageTooLargeException: [
    'These rows are more than 16 MiB; limit=20 would do',
    { limit: 20, page: 1 },
  ],
  UploadQuotaExceededException: ['The enterprise has 1000 part uploads under way'],
  ServiceUnavailableException: [serviceMessages.databaseAway()],
  ApiConnectionUnauthorizedException: [connectorMessages.keyRefused()],
  ApiResourceTypeNotSupportedException: [
    connectorMessages.cardNotSupported({ type: 'FORMULAIRES' }),
  ],
  RemoteApplicationBusyException: [connectorMessages.asksToWait({ seconds: 30 })],
  FormNotFoundException: [connectorMessages.noForm()],
  CardNotFoundException: [connectorMessages.noCard()],
  FolderRestoreConflictException: [folderMessages.parentDeleted()],
  RemoteApplicationException: [connectorMessages.status({ status: 500 })],
  UploadIncompleteException: [
    documentMessages.missingParts({ parts: ['2', '3'] }),
    { missingParts: [2, 3] },
  ],
  SourceTableAlreadyExistsException: [sourceMessages.tableTaken({ table: 'ventes_mars' })],
  SourceDataInvalidException: [cell.message, { errors: [cell], totalErrors: 1 }],
  SourceFileMalformedException: [
    'Row 4 (line 5): a quote is opened and never closed.',
    { row: 4, line: 5 },
  ],
  SourceFileEmptyException: ['The file is empty.'],
  SourceLimitExceededException: [
    'Line 1: 1600 columns, where at most 1590 can be stored.',
    { limit: 'columns', line: 1 },
  ],
  SourceOptionsInvalidException: [
    'There is no column “Dates”',
    field('/options/columns/0/name', 'There is no column “Dates”'),
  ],
  SourceFileUnsupportedException: [
    'This is not an Excel workbook. Send a workbook saved as .xlsx.',
  ],
  SourceBusyException: [tableMessages.readForTooLong()],
}

type ProblemExample = Static<typeof problemSchema>

/** The problem document of a code, as the service would send it. */
export function problemExample(code: string): ProblemExample {
  const Problem = PROBLEMS.find((problem) => problem.code === code)
  if (!Problem) throw new Error(`There is no problem ${code}`)
  const document = problemDocument(new Problem())
  const [detail = document.detail, members] = SAID[code as Code] ?? []
  const example = { ...document, detail, ...members, requestId: REQUEST_ID }
  return Catalogue.empty.sayAll(example, 'en') as ProblemExample
}
