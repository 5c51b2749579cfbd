import {
  ApiConnectionNotActiveException,
  CardNotFoundException,
  DocumentNotFoundException,
  EnterpriseNotFoundException,
  FormNotFoundException,
  InsufficientStorageException,
  PayloadTooLargeException,
  MappingQuestionException,
  type ProblemClass,
  ShapeChangedException,
  ShapeNotFoundException,
  SourceBusyException,
  SourceColumnInUseException,
  SourceDataInvalidException,
  SourceFileEmptyException,
  SourceFileMalformedException,
  SourceFileUnsupportedException,
  SourceInUseException,
  SourceLimitExceededException,
  SourceNotFoundException,
  SourceOptionsInvalidException,
  SourceOriginEmptyException,
  SourceTableAlreadyExistsException,
} from '../../../errors/index.ts'
import { REMOTE_PROBLEMS } from '../connections/remote-problems.ts'

const CONTENT_PROBLEMS: readonly ProblemClass[] = [
  SourceFileEmptyException,
  SourceFileMalformedException,
  SourceLimitExceededException,
]

/** The refusals of reading a file, whatever becomes of the rows. */
export const FILE_PROBLEMS: readonly ProblemClass[] = [
  ...CONTENT_PROBLEMS,
  SourceFileUnsupportedException,
  SourceOptionsInvalidException,
  InsufficientStorageException,
  PayloadTooLargeException,
]

/** The same for a form or a card. */
export const RESOURCE_PROBLEMS: readonly ProblemClass[] = [
  ...CONTENT_PROBLEMS,
  ApiConnectionNotActiveException,
  FormNotFoundException,
  CardNotFoundException,
  SourceOriginEmptyException,
  ...REMOTE_PROBLEMS,
]

const LOADING_PROBLEMS: readonly ProblemClass[] = [SourceBusyException, SourceDataInvalidException]

/** What others did to a table can prevent a change of what it shows. */
export const IN_USE_PROBLEMS: readonly ProblemClass[] = [
  SourceColumnInUseException,
  SourceInUseException,
]

const ORIGIN_PROBLEMS: readonly ProblemClass[] = [
  DocumentNotFoundException,
  ...FILE_PROBLEMS,
  ...RESOURCE_PROBLEMS,
]

export const CREATION_PROBLEMS: readonly ProblemClass[] = [
  EnterpriseNotFoundException,
  SourceTableAlreadyExistsException,
  ShapeNotFoundException,
  ShapeChangedException,
  MappingQuestionException,
  ...ORIGIN_PROBLEMS,
  ...LOADING_PROBLEMS,
  SourceInUseException,
]

export const RELOAD_PROBLEMS: readonly ProblemClass[] = [
  SourceNotFoundException,
  ...ORIGIN_PROBLEMS,
  ...LOADING_PROBLEMS,
  ...IN_USE_PROBLEMS,
]

export const CORRECTION_PROBLEMS: readonly ProblemClass[] = [
  SourceNotFoundException,
  ...FILE_PROBLEMS,
  ...LOADING_PROBLEMS,
  ...IN_USE_PROBLEMS,
]
