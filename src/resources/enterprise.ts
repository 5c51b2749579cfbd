import { Type } from 'typebox'

import { ACCOUNT_TYPES } from './account-types.ts'
import { type Entity, type EntityOf, resource } from './resource.ts'
import { named, strictObject, timestamp, uuid } from './schema.ts'

export const enterpriseFields = {
  id: Type.Integer(),
  uuid: uuid(),
  name: Type.String(),
  accountType: Type.Enum(ACCOUNT_TYPES),
}

export const enterpriseSchema = named('Enterprise', strictObject(enterpriseFields))

export type Enterprise = Entity<typeof enterpriseFields>

/** From a row of enterprises, as a JSON object under the names of the fields; null without a row. */
export const enterpriseOf = (row: string): string =>
  `case when ${row}.id is not null then
     json_build_object('id', ${row}.id, 'uuid', ${row}.uuid, 'name', ${row}.name,
                       'accountType', ${row}.account_type) end`

/** One that a root folder can be created for. */
export const eligibleEnterpriseFields = {
  ...enterpriseFields,
  hasFolder: Type.Boolean({ description: 'It has an active root folder already' }),
}

export type EligibleEnterprise = Entity<typeof eligibleEnterpriseFields>

/** One as the directory of super-admins lists it. */
export const listedEnterprise = resource({ ...enterpriseFields, createdAt: timestamp() }, {})

export type ListedEnterprise = EntityOf<typeof listedEnterprise>
