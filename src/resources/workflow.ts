import { type Static, Type } from 'typebox'

import { enterpriseOf, enterpriseOfThing } from './enterprise.ts'
import { type EntityOf, resource } from './resource.ts'
import { named, nullable, strictObject, timestamp, uuid, variants } from './schema.ts'

export const SOURCE_TYPES = ['document', 'api'] as const
export type SourceType = (typeof SOURCE_TYPES)[number]

/**
 * Where the source node of a workflow takes its data from. There is exactly one source, so the
 * fields of the other variant are refused.
 */
export const sourceConfigSchema = named(
  'WorkflowSourceConfig',
  variants(
    'sourceType',
    named(
      'WorkflowDocumentSource',
      strictObject({
        sourceType: Type.Literal('document'),
        documentUuid: uuid('A document of the enterprise'),
      }),
    ),
    named(
      'WorkflowFormSource',
      strictObject({
        sourceType: Type.Literal('api'),
        connectionUuid: uuid('A connection that is ACTIVE'),
        formUuid: uuid('A form of the remote application'),
        formTitle: Type.String({
          description: 'Label of the form; not blank, at most 1000 characters',
          maxLength: 1000,
          format: 'not-blank',
        }),
      }),
    ),
  ),
)

export type SourceConfig = Static<typeof sourceConfigSchema>

export const workflow = resource(
  {
    uuid: uuid(),
    name: Type.String(),
    enterprise: enterpriseOfThing,
    sourceConfig: nullable(sourceConfigSchema),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { id: Type.Integer(), enterpriseId: Type.Integer() },
  { enterprise: enterpriseOf },
)

export type Workflow = EntityOf<typeof workflow>
