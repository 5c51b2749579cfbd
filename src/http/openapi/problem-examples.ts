import type { Static } from 'typebox'

import { Catalogue } from '../../../pipelines/index.ts'
import type * as problems from '../../errors/index.ts'
import { problemDocument, PROBLEMS, type ProblemExtras } from '../../errors/index.ts'
import { exampleReject } from '../presenters/example-table.ts'
import type { problemSchema } from '../../resources/problem.ts'

type Code = Extract<keyof typeof problems, `${string}Exception`>

const REQUEST_ID = '6e0c3f0a-9f1b-4d63-8b1e-2f4f4f9f5c10'

const field = (pointer: string, message: string): ProblemExtras => ({
  errors: [{ pointer, message }],
})

const { id: _id, raw: _raw, ...cell } = exampleReject

/** What a problem says where that is more than its title. */
const SAID: Readonly<Partial<Record<Code, readonly [detail: string, extras?: ProblemExtras]>>> = {
  ValidationException: [
    '/query/perPage is not known here',
    field('/query/perPage', 'is not known here'),
  ],
  MalformedBodyException: ['The body is not well-formed JSON'],
  RequestTimeoutException: ['No progress for 30000 ms'],
  PayloadTooLargeException: ['The body is larger than 1048576 bytes'],
  UnsupportedMediaTypeException: ['The body must be application/json'],
  TooManyRequestsException: ['Try again in 840 s'],
  ShareExceededException: [
    'You hold 8 of the uploads that this process takes at once, which is your share',
  ],
  PageTooLargeException: [
    'These rows are more than 16 MiB; limit=20 would do',
    { members: { limit: 20, page: 1 } },
  ],
  UploadQuotaExceededException: ['The enterprise has 1000 part uploads under way'],
  ServiceUnavailableException: ['The database does not answer; nothing was changed'],
  ApiConnectionUnauthorizedException: ['Clé API invalide ou révoquée.'],
  ApiResourceTypeNotSupportedException: [
    "A connection of type FORMULAIRES does not support the resource type 'card'",
  ],
  RemoteApplicationBusyException: ['The remote application asks to wait 30 seconds'],
  FormNotFoundException: ['The remote application has no such form'],
  CardNotFoundException: ['The remote application has no such card'],
  FolderRestoreConflictException: ['Its parent is deleted: restore that one'],
  RemoteApplicationException: ['The remote application answered with status 500'],
  UploadIncompleteException: [
    'Missing, or of another size than announced: part 2, 3',
    { members: { missingParts: [2, 3] } },
  ],
  SourceTableAlreadyExistsException: ['The enterprise has a table «ventes_mars» already'],
  SourceDataInvalidException: [cell.message, { errors: [cell], members: { totalErrors: 1 } }],
  SourceFileMalformedException: [
    'Row 4 (line 5): a quote is opened and never closed.',
    { members: { row: 4, line: 5 } },
  ],
  SourceFileEmptyException: ['The file is empty.'],
  SourceLimitExceededException: [
    'Line 1: 1600 columns, where at most 1590 can be stored.',
    { members: { limit: 'columns', line: 1 } },
  ],
  SourceOptionsInvalidException: [
    'There is no column "Dates"',
    field('/options/columns/0/name', 'There is no column "Dates"'),
  ],
  SourceFileUnsupportedException: [
    'This is not an Excel workbook. Send a workbook saved as .xlsx.',
  ],
  SourceBusyException: ['Others read the table; try again when they are done'],
}

type ProblemExample = Static<typeof problemSchema>

const EXAMPLES = new Map(
  PROBLEMS.map((Problem) => {
    const [detail, extras] = SAID[Problem.code as Code] ?? []
    const document = problemDocument(new Problem(detail, extras), REQUEST_ID)
    return [Problem.code, Catalogue.empty.sayAll(document, 'en') as ProblemExample]
  }),
)

/** The problem document of a code, as the service would answer it. */
export function problemExample(code: string): ProblemExample {
  const example = EXAMPLES.get(code)
  if (!example) throw new Error(`There is no problem ${code}`)
  return example
}
