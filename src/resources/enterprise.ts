import { Type } from 'typebox'

import { ACCOUNT_TYPES } from './account-types.ts'
import { type Entity, type EntityOf, resource } from './resource.ts'
import { named, strictObject, timestamp, uuid } from './schema.ts'

const enterpriseFields = {
  id: Type.Integer(),
  uuid: uuid(),
  name: Type.String(),
  accountType: Type.Enum(ACCOUNT_TYPES),
}

export const enterpriseSchema = named('Enterprise', strictObject(enterpriseFields))

export type Enterprise = Entity<typeof enterpriseFields>

/**
 * SQL for the enterprise of a row, as a JSON object with the names of the fields; null if it has
 * none. It is not a join, since a plan made once for all callers would read every enterprise.
 */
export const enterpriseOf = (row: string): string =>
  `(select json_build_object('id', e.id, 'uuid', e.uuid, 'name', e.name,
                             'accountType', e.account_type)
    from enterprises e where e.id = ${row}.enterprise_id)`

/** Whose a thing is, told to those who see the things of several. */
export const enterpriseOfThing = Type.Optional(
  strictObject(
    { id: Type.Integer(), name: Type.String() },
    { description: 'Whose it is; only for super-admins' },
  ),
)

/** An enterprise that a root folder can be created for. */
export const eligibleEnterpriseFields = {
  ...enterpriseFields,
  hasFolder: Type.Boolean({ description: 'Whether it already has an active root folder' }),
}

export type EligibleEnterprise = Entity<typeof eligibleEnterpriseFields>

/** An enterprise in the directory for super-admins. */
export const listedEnterprise = resource({ ...enterpriseFields, createdAt: timestamp() }, {})

export type ListedEnterprise = EntityOf<typeof listedEnterprise>
