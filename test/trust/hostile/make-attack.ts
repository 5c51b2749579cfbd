import type { SeededRandom } from '../../support/seeded-random.ts'
import type { Attack, FindUuid, Spoil } from './attack.ts'
import { wholesomeDraft } from './draft.ts'
import type { Operation } from './operations.ts'
import { spoilPath, spoilQuery, strangeQuery } from './spoil-address.ts'
import { spoilEncoding, spoilType } from './spoil-coding.ts'
import { spoilForm } from './spoil-form.ts'
import { spoilHeader, spoilMethod } from './spoil-headers.ts'
import { addField, breakBody, dropField, spoilField } from './spoil-json.ts'

const SPOILS: readonly Spoil[] = [
  spoilField,
  spoilField,
  spoilField,
  spoilField,
  addField,
  dropField,
  breakBody,
  spoilType,
  spoilEncoding,
  spoilPath,
  spoilQuery,
  spoilQuery,
  strangeQuery,
  spoilHeader,
  spoilMethod,
  spoilForm,
  spoilForm,
]

export function makeAttack(operation: Operation, random: SeededRandom, findUuid: FindUuid): Attack {
  const draft = wholesomeDraft(operation, random, findUuid)
  for (let attempt = 0; attempt < 20; attempt++) {
    if (random.pick(SPOILS)(draft, operation, random)) break
  }
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => draft.params[name] ?? '')
  const query = draft.query.length > 0 ? `?${draft.query.join('&')}` : ''
  return { ...draft, path: path + query }
}
