import type { Route } from '../define-route.ts'
import { writeOpenApi } from './write-openapi.ts'

const DESCRIPTION =
  'Takes messy files and forms and turns them into typed PostgreSQL tables, safely and at the ' +
  'speed of the database. Errors are RFC 9457 problem documents with a stable `code`.'

export function openApiDocument(routes: readonly Route[], version: string) {
  return writeOpenApi(routes, { version, description: DESCRIPTION })
}
