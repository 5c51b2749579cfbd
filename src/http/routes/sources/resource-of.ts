import type { ApiOrigin } from '../../../domain/sources/sources.ts'
import { defineMessages, fr } from '../../../../pipelines/index.ts'
import { fieldMessages, type FieldError, invalidFields } from '../../../errors/index.ts'
import type { ResourceFields } from './source-body.ts'

export const resourceMessages = defineMessages('resource', {
  excluded: {
    en: ({ other }: { other: string }) => `must not come together with ${other}`,
    fr: ({ other }) => `ne doit pas accompagner ${other}`,
  },
  otherUuid: {
    en: ({ type, came }: { type: string; came: string }) => `is ${type}, but ${came} was sent`,
    fr: ({ type, came }) => fr`vaut ${type}, mais c’est ${came} qui a été envoyé`,
  },
  otherType: {
    en: ({ type }: { type: string }) => `does not go with apiResourceType ${type}`,
    fr: ({ type }) => `ne va pas avec apiResourceType ${type}`,
  },
})

/** The single resource that the fields name; `place` is where an error points: the body or the query. */
export function resourceOf(given: ResourceFields, place: '' | '/query'): ApiOrigin {
  const { apiResourceType: type, formUuid, cardUuid, connectionUuid } = given
  const resourceUuid = type === 'form' ? formUuid : cardUuid
  const other = type === 'form' ? 'card' : 'form'
  const errors: FieldError[] = []
  if (formUuid === undefined && cardUuid === undefined) {
    errors.push({ pointer: `${place}/${type}Uuid`, message: fieldMessages.required() })
  } else if (formUuid !== undefined && cardUuid !== undefined) {
    errors.push({
      pointer: `${place}/${other}Uuid`,
      message: resourceMessages.excluded({ other: `${type}Uuid` }),
    })
  } else if (resourceUuid === undefined) {
    const message = resourceMessages.otherUuid({ type, came: `${other}Uuid` })
    errors.push({ pointer: `${place}/apiResourceType`, message })
  }
  if (given[`${other}Title`] !== undefined) {
    errors.push({
      pointer: `${place}/${other}Title`,
      message: resourceMessages.otherType({ type }),
    })
  }
  if (errors.length > 0 || resourceUuid === undefined) {
    throw invalidFields(errors)
  }
  return {
    kind: 'api',
    connectionUuid,
    resourceType: type,
    resourceUuid,
    title: given[`${type}Title`],
  }
}
