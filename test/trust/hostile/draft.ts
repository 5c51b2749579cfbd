import type { SeededRandom } from '../../support/seeded-random.ts'
import type { Draft, FindUuid } from './attack.ts'
import { putForm, wholesomeParts } from './form-parts.ts'
import type { Operation } from './operations.ts'
import { wholesome } from './wholesome.ts'

export function wholesomeDraft(
  operation: Operation,
  random: SeededRandom,
  findUuid: FindUuid,
): Draft {
  const draft: Draft = {
    what: 'nothing wrong',
    method: operation.method,
    params: {},
    query: [],
    headers: {},
    body: null,
    mustBeRefused: false,
  }
  for (const parameter of operation.parameters) {
    if (parameter.in === 'path') draft.params[parameter.name] = findUuid(operation.path, random)
    if (parameter.in === 'query' && (parameter.required || random.chance(0.2))) {
      draft.query.push(
        `${parameter.name}=${encodeURIComponent(String(wholesome(parameter.schema, random)))}`,
      )
    }
  }
  if (operation.jsonBody) putJson(draft, JSON.stringify(wholesome(operation.jsonBody, random)))
  else if (operation.streams.length > 0) putForm(draft, wholesomeParts())
  return draft
}

export function putJson(draft: Draft, text: string | Buffer): void {
  draft.body = Buffer.from(text as string)
  draft.headers['content-type'] = 'application/json'
}
