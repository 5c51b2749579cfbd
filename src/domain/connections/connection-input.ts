import { type FieldError, invalidFields } from '../../errors/index.ts'
import type { ConnectionType } from '../../resources/connection.ts'
import { apiKeyProblem } from '../../security/api-key.ts'
import { BaseUrlError, normaliseBaseUrl } from '../../security/outbound/base-url.ts'
import { connectionMessages } from './connection-messages.ts'

const MAX_NAME_CHARACTERS = 255

export interface NewConnection {
  readonly name: string
  readonly baseUrl: string
  readonly apiKey: string
  /** Default: FORMULAIRES. */
  readonly type?: ConnectionType | undefined
  readonly enterpriseId?: number | undefined
}

/** A blank field counts as not given; at least one of the two must be given. */
export interface ConnectionChange {
  readonly name?: string | undefined
  readonly apiKey?: string | undefined
}

interface CheckedNew {
  readonly name: string
  readonly baseUrl: string
  readonly apiKey: string
}

/** Null means that the field stays unchanged. */
interface CheckedChange {
  readonly name: string | null
  readonly apiKey: string | null
}

/** Trims and normalises the fields; reports all faults at once. */
export function checkNew(given: NewConnection): CheckedNew {
  const name = given.name.trim()
  const apiKey = given.apiKey.trim()
  const baseUrl = readBaseUrl(given.baseUrl)
  refuse([nameError(name), baseUrl.error, keyError(apiKey)])
  return { name, apiKey, baseUrl: baseUrl.value }
}

export function checkChange(given: ConnectionChange): CheckedChange {
  const name = given.name?.trim() || null
  const apiKey = given.apiKey?.trim() || null
  if (name === null && apiKey === null) {
    throw invalidFields([
      { pointer: '/name', message: connectionMessages.blankName() },
      { pointer: '/apiKey', message: connectionMessages.blankKey() },
    ])
  }
  refuse([name !== null && nameError(name), apiKey !== null && keyError(apiKey)])
  return { name, apiKey }
}

function refuse(found: readonly (FieldError | false | null)[]): void {
  const errors = found.filter((error) => error !== null && error !== false)
  if (errors.length === 0) return
  throw invalidFields(errors)
}

function nameError(name: string): FieldError | null {
  // Counts characters as people and PostgreSQL do.
  const { length } = [...name]
  if (length >= 1 && length <= MAX_NAME_CHARACTERS) return null
  return {
    pointer: '/name',
    message: connectionMessages.name({ most: MAX_NAME_CHARACTERS }),
  }
}

function keyError(apiKey: string): FieldError | null {
  const problem = apiKeyProblem(apiKey)
  return problem === null ? null : { pointer: '/apiKey', message: problem }
}

function readBaseUrl(text: string): { value: string; error: FieldError | null } {
  try {
    return { value: normaliseBaseUrl(text), error: null }
  } catch (error) {
    if (!(error instanceof BaseUrlError)) throw error
    return { value: '', error: { pointer: '/baseUrl', message: error.text } }
  }
}
