import { type Static, Type } from 'typebox'

import {
  COMMON_OPTIONS,
  ingestOptionsSchema,
  standardFormats,
} from '../../../../pipelines/index.ts'
import { RESOURCE_TYPES } from '../../../connectors/connector.ts'
import { EXAMPLE_CSV, exampleOptions } from '../../presenters/example-table.ts'
import { exampleConnection } from '../../presenters/present-connection.ts'
import { exampleDocument } from '../../presenters/present-document.ts'
import { exampleCard, exampleForm } from '../../presenters/present-remote-item.ts'
import { exampleShape } from '../../presenters/present-shape.ts'
import { exampleSource } from '../../presenters/present-source.ts'
import { mappingFields } from './mapping-fields.ts'
import {
  documented,
  enterpriseIdField,
  named,
  strictObject,
  trimmedName,
  uuid,
} from '../../schemas.ts'

/** How to read a file; what is left out is detected from its content. */
export const optionalOptions = Type.Optional(
  named('IngestOptions', {
    ...ingestOptionsSchema(standardFormats()),
    // The documentation page fills this in: it is the default, and harmless.
    examples: [{ onInvalid: 'reject' }],
  }),
)

const title = (type: string, example: string) =>
  Type.Optional(
    Type.String({
      maxLength: 1000,
      format: 'without-nul',
      description: `Label of the ${type}; with the resource type ${type}, and only then`,
      examples: [example],
    }),
  )

/** The options for records, which say how to read their values. */
const recordOptions = named(
  'RecordOptions',
  Type.Partial(Type.Object(COMMON_OPTIONS), { additionalProperties: false }),
)

const shared = {
  name: trimmedName('Name of the source; 1 to 255 characters after trimming', exampleSource.name),
  tableName: Type.String({
    format: 'table-name',
    description: 'Name of the table in the schema of the enterprise; unique there',
    examples: [exampleSource.tableName],
  }),
  enterpriseId: enterpriseIdField,
  shapeUuid: Type.Optional(uuid('A shape of the enterprise that is shared', exampleShape.uuid)),
  ...mappingFields,
}

const ventes = {
  source: 'file' as const,
  name: exampleSource.name,
  tableName: exampleSource.tableName,
}

/** Names a form or a card. `resourceOf` checks which uuid goes with which type. */
export const resourceFields = {
  connectionUuid: uuid('A connection that is ACTIVE', exampleConnection.uuid),
  apiResourceType: Type.Enum(RESOURCE_TYPES),
  formUuid: Type.Optional(uuid('With the resource type form, and only then', exampleForm.uuid)),
  formTitle: title('form', exampleForm.title),
  cardUuid: Type.Optional(uuid('With the resource type card, and only then', exampleCard.uuid)),
  cardTitle: title('card', exampleCard.title),
}

const fromForm = {
  source: 'api' as const,
  name: 'Demandes',
  tableName: 'demandes',
  connectionUuid: exampleConnection.uuid,
  apiResourceType: 'form' as const,
  formUuid: exampleForm.uuid,
}

/** The rule that `resourceOf` checks. */
const UUID_OF_THE_TYPE = {
  not: { properties: { formUuid: false, cardUuid: false } },
  dependentSchemas: {
    formUuid: {
      properties: { apiResourceType: { const: 'form' }, cardUuid: false, cardTitle: false },
    },
    cardUuid: {
      properties: { apiResourceType: { const: 'card' }, formUuid: false, formTitle: false },
    },
  },
}

export const newApiSource = named(
  'NewApiSource',
  documented(
    strictObject({
      source: Type.Literal('api'),
      ...shared,
      ...resourceFields,
      options: Type.Optional(recordOptions),
    }),
    UUID_OF_THE_TYPE,
  ),
  {
    form: { ...fromForm, formTitle: exampleForm.title },
    card: {
      source: 'api',
      name: 'Équipements',
      tableName: 'equipements',
      connectionUuid: exampleConnection.uuid,
      apiResourceType: 'card',
      cardUuid: exampleCard.uuid,
      cardTitle: exampleCard.title,
    },
    'form-with-options': {
      ...fromForm,
      options: { timezone: 'Europe/Paris', nullValues: ['néant'], onInvalid: 'null' },
    },
  },
)

export const newDocumentSource = named(
  'NewDocumentSource',
  strictObject({
    source: Type.Literal('file'),
    ...shared,
    documentUuid: uuid('A stored document of the enterprise'),
    options: optionalOptions,
  }),
  { document: { ...ventes, documentUuid: exampleDocument.uuid, options: exampleOptions } },
)

/** What a creation can be asked with, for who wants to know first what would become of it. */
export const creationMembers = {
  ...Type.Partial(Type.Object({ source: Type.Literal('file'), ...shared })).properties,
  options: optionalOptions,
}

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
  {
    'all-found-from-the-content': { ...ventes, file: EXAMPLE_CSV },
    'with-options': { ...ventes, options: exampleOptions, file: EXAMPLE_CSV },
    'as-super-admin': { ...ventes, enterpriseId: 1, file: EXAMPLE_CSV },
    'of-a-shape': { ...ventes, shapeUuid: exampleShape.uuid, file: EXAMPLE_CSV },
  },
)

export const newJsonSource = Type.Union([newApiSource, newDocumentSource])

export type ResourceFields = Pick<
  Static<typeof newApiSource>,
  'connectionUuid' | 'apiResourceType' | 'formUuid' | 'formTitle' | 'cardUuid' | 'cardTitle'
>
