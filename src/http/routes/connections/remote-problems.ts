import {
  ApiConnectionNotFoundException,
  ApiConnectionUnauthorizedException,
  ApiResourceTypeNotSupportedException,
  type ProblemClass,
  RemoteApplicationBusyException,
  RemoteApplicationException,
  RemoteApplicationTimeoutException,
} from '../../../errors/index.ts'

/** The ways in which a call through a connection can fail. */
export const REMOTE_PROBLEMS: readonly ProblemClass[] = [
  ApiConnectionNotFoundException,
  ApiResourceTypeNotSupportedException,
  ApiConnectionUnauthorizedException,
  RemoteApplicationException,
  RemoteApplicationTimeoutException,
  RemoteApplicationBusyException,
]
