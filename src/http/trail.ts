import type { Audit } from '../domain/audit/audit.ts'
import type { Holder } from '../domain/collections/holder.ts'
import type { Deed, Doer } from '../domain/audit/record-deed.ts'
import { ACTIONS } from '../resources/audit-entry.ts'
import { type Done, type RouteSpec, uuidIn } from './define-route.ts'
import type { ReceivedRequest } from './received-request.ts'

/**
 * Does what a request asks for, and has it written into the audit trail: by the handler, in the
 * transaction of the change, or else here once it is done. A request that fails did nothing.
 */
export async function onTrail(
  audit: Audit,
  { audit: action, method }: RouteSpec,
  request: ReceivedRequest,
  handle: () => Promise<unknown>,
): Promise<unknown> {
  if (action === undefined) return handle()
  const params = request.params as Readonly<Record<string, string>>
  // The thing may be within another: a load of a source.
  const named = params[ACTIONS[action]] ?? params['uuid']
  // What is removed cannot be asked afterwards.
  const place = method === 'delete' && named ? await audit.placeOf(action, named) : null
  const fields = method === 'patch' ? Object.keys(request.body as object) : []
  let isRecorded = false

  const deedOf = ({ thingUuid = named, jobUuid, outcome, actor }: Done): Deed => ({
    action,
    thingUuid: thingUuid ?? null,
    place,
    fields,
    by: actor ? { actor, via: 'password' } : doerOf(request),
    address: request.clientAddress,
    requestId: request.requestId,
    ...(jobUuid !== undefined && { jobUuid }),
    ...(outcome && { outcome }),
  })
  request.record = async (client, done = {}) => {
    await audit.record(deedOf(done), client)
    isRecorded = true
  }
  const answer = await handle()
  if (!isRecorded) await audit.record(deedOf({ thingUuid: named ?? uuidIn(answer) }), null)
  return answer
}

function doerOf(request: ReceivedRequest): Doer {
  const { actor, credential } = request
  const holder = request.holder as Holder | null
  if (holder !== null) return { actor: { email: holder.email }, via: 'link' }
  return { actor, via: credential.kind, token: credential.id }
}
