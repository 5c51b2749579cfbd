import type { ApiOrigin } from '../../../domain/sources/sources.ts'
import { type FieldError, ValidationException } from '../../../errors/index.ts'
import type { ResourceFields } from './source-body.ts'

/** The one resource that the fields name; `place` is where a refusal points: the body or the query. */
export function resourceOf(given: ResourceFields, place: '' | '/query'): ApiOrigin {
  const { apiResourceType: type, formUuid, cardUuid, connectionUuid } = given
  const resourceUuid = type === 'form' ? formUuid : cardUuid
  const other = type === 'form' ? 'card' : 'form'
  const errors: FieldError[] = []
  if (formUuid === undefined && cardUuid === undefined) {
    errors.push({ pointer: `${place}/${type}Uuid`, message: 'is required' })
  } else if (formUuid !== undefined && cardUuid !== undefined) {
    errors.push({ pointer: `${place}/${other}Uuid`, message: 'excludes the other uuid' })
  } else if (resourceUuid === undefined) {
    const message = `is ${type}, but the uuid of a ${other} came with it`
    errors.push({ pointer: `${place}/apiResourceType`, message })
  }
  if (given[`${other}Title`] !== undefined) {
    errors.push({ pointer: `${place}/${other}Title`, message: `does not go with a ${type}` })
  }
  if (errors.length > 0 || resourceUuid === undefined) {
    throw new ValidationException(
      errors.map(({ pointer, message }) => `${pointer} ${message}`).join('; '),
      { errors },
    )
  }
  return {
    kind: 'api',
    connectionUuid,
    resourceType: type,
    resourceUuid,
    title: given[`${type}Title`],
  }
}
