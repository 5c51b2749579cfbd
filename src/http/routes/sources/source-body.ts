import { type Static, Type } from 'typebox'

import { IngestOptions } from '../../../../pipelines/index.ts'
import { RESOURCE_TYPES } from '../../../connectors/connector.ts'
import { enterpriseIdField, named, strictObject, trimmedName, uuid } from '../../schemas.ts'

/** How a file is read; what is left out is found from its content. */
export const optionalOptions = Type.Optional(named('IngestOptions', IngestOptions))

/** What can be said about records: how their values are to be taken. */
const recordOptions = named(
  'RecordOptions',
  Type.Pick(IngestOptions, ['columns', 'nullValues', 'timezone', 'decimal', 'onInvalid'], {
    additionalProperties: false,
  }),
)

const shared = {
  name: trimmedName('Name of the source; 1 to 255 characters after trimming'),
  tableName: Type.String({
    pattern: '^\\s*[a-z_][a-z0-9_]{0,62}\\s*$',
    description: 'Name of the table in the schema of the enterprise; unique there',
    examples: ['clients_2026'],
  }),
  enterpriseId: enterpriseIdField,
}

/** What names a form or a card. Which uuid goes with which type is checked by `resourceOf`. */
export const resourceFields = {
  connectionUuid: uuid(),
  apiResourceType: Type.Enum(RESOURCE_TYPES),
  formUuid: Type.Optional(uuid('With the resource type form, and only then')),
  formTitle: Type.Optional(Type.String({ maxLength: 1000, format: 'without-nul' })),
  cardUuid: Type.Optional(uuid('With the resource type card, and only then')),
  cardTitle: Type.Optional(Type.String({ maxLength: 1000, format: 'without-nul' })),
}

export const newApiSource = named(
  'NewApiSource',
  strictObject({
    source: Type.Literal('api'),
    ...shared,
    ...resourceFields,
    options: Type.Optional(recordOptions),
  }),
)

export const newDocumentSource = named(
  'NewDocumentSource',
  strictObject({
    source: Type.Literal('file'),
    ...shared,
    documentUuid: uuid('A stored document of the enterprise'),
    options: optionalOptions,
  }),
)

const formFields = {
  source: Type.Literal('file'),
  ...shared,
  options: optionalOptions,
}

/** The fields of the form, parsed; the file follows them. */
export const newFileSource = strictObject(formFields)

export const newFileSourceForm = named(
  'NewFileSourceForm',
  strictObject(
    { ...formFields, file: Type.String({ format: 'binary' }) },
    { description: 'The fields come before the file; `options` is JSON' },
  ),
)

export const newJsonSource = Type.Union([newApiSource, newDocumentSource])

export type ResourceFields = Pick<
  Static<typeof newApiSource>,
  'connectionUuid' | 'apiResourceType' | 'formUuid' | 'formTitle' | 'cardUuid' | 'cardTitle'
>
