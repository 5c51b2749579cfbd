import {
  ApiConnectionNotActiveException,
  ApiConnectionNotFoundException,
  CardNotFoundException,
  DocumentNotFoundException,
  EnterpriseNotFoundException,
  FormNotFoundException,
  InsufficientStorageException,
  JobCancelledException,
  PayloadTooLargeException,
  type ProblemClass,
  SourceBusyException,
  SourceDataInvalidException,
  SourceFileEmptyException,
  SourceFileMalformedException,
  SourceFileUnsupportedException,
  SourceLimitExceededException,
  SourceNotFoundException,
  SourceOptionsInvalidException,
  SourceOriginEmptyException,
  SourceTableAlreadyExistsException,
} from '../../../errors/index.ts'
import { REMOTE_PROBLEMS } from '../connections/remote-problems.ts'

/** What reading an origin can be refused with, whatever becomes of the rows. */
export const READING_PROBLEMS: readonly ProblemClass[] = [
  ApiConnectionNotFoundException,
  ApiConnectionNotActiveException,
  FormNotFoundException,
  CardNotFoundException,
  DocumentNotFoundException,
  SourceOriginEmptyException,
  SourceFileEmptyException,
  SourceFileMalformedException,
  SourceFileUnsupportedException,
  SourceLimitExceededException,
  SourceOptionsInvalidException,
  InsufficientStorageException,
  PayloadTooLargeException,
  ...REMOTE_PROBLEMS,
]

/** What loading into a source that exists adds to them. */
export const LOADING_PROBLEMS: readonly ProblemClass[] = [
  ...READING_PROBLEMS,
  SourceNotFoundException,
  SourceBusyException,
  SourceDataInvalidException,
  JobCancelledException,
]

export const CREATION_PROBLEMS: readonly ProblemClass[] = [
  ...READING_PROBLEMS,
  EnterpriseNotFoundException,
  SourceTableAlreadyExistsException,
  SourceBusyException,
  SourceDataInvalidException,
  JobCancelledException,
]
