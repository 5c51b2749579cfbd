import {
  ApiConnectionNotActiveException,
  DocumentNotFoundException,
  FormNotFoundException,
  InsufficientStorageException,
  type ProblemClass,
  SourceFileEmptyException,
  SourceFileMalformedException,
  SourceFileUnsupportedException,
  SourceLimitExceededException,
  SourceOriginEmptyException,
  WorkflowNotFoundException,
} from '../../../errors/index.ts'
import { REMOTE_PROBLEMS } from '../connections/remote-problems.ts'

/** The ways in which the source of a workflow can fail to be read. */
export const ORIGIN_PROBLEMS: readonly ProblemClass[] = [
  WorkflowNotFoundException,
  DocumentNotFoundException,
  FormNotFoundException,
  ApiConnectionNotActiveException,
  SourceOriginEmptyException,
  SourceFileEmptyException,
  SourceFileMalformedException,
  SourceFileUnsupportedException,
  SourceLimitExceededException,
  InsufficientStorageException,
  ...REMOTE_PROBLEMS,
]
