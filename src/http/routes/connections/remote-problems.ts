import {
  ApiConnectionNotFoundException,
  ApiConnectionUnauthorizedException,
  ApiResourceTypeNotSupportedException,
  type ProblemClass,
  RemoteApplicationBusyException,
  RemoteApplicationException,
  RemoteApplicationTimeoutException,
} from '../../../errors/index.ts'

/** In how many ways a call can fail that leads through a connection. */
export const REMOTE_PROBLEMS: readonly ProblemClass[] = [
  ApiConnectionNotFoundException,
  ApiResourceTypeNotSupportedException,
  ApiConnectionUnauthorizedException,
  RemoteApplicationException,
  RemoteApplicationTimeoutException,
  RemoteApplicationBusyException,
]
