import type { Static, TObject, TSchema } from 'typebox'

import type { ConnectorResource, RemoteItem, ResourceType } from '../connector.ts'
import { remoteFailure } from '../errors.ts'
import { createAnswerCheck } from './answers.ts'
import type { FormulairesClient } from './client.ts'
import type { RecordLoader } from './record-loader.ts'
import type { RetryPolicy } from './retry.ts'
import { wireList, type WireForm } from './wire.ts'
import { connectorMessages } from '../connector-messages.ts'

/** One kind of resource: where its items are listed, and how many records an item reports. */
interface ResourceOptions<Item extends TObject> {
  readonly resource: ResourceType
  readonly path: string
  readonly schema: Item
  readonly recordCount: (item: Static<Item>) => number
  readonly client: FormulairesClient
  readonly retry: RetryPolicy
  readonly load: RecordLoader
}

type CommonMembers = Omit<WireForm, 'responseCount'>

/** Lists and describes forms or cards, and opens their records with the given loader. */
export function createResource<Item extends TObject>(
  options: ResourceOptions<Item>,
): ConnectorResource {
  const { resource, path, client, retry: policy, load } = options
  const checkItem = createAnswerCheck(options.schema)
  const checkList = createAnswerCheck(wireList(options.schema) as TSchema)

  const present = (wire: Static<Item>): RemoteItem => {
    const item = wire as CommonMembers
    return {
      uuid: item.uuid.toLowerCase(),
      title: item.title,
      publicationStatus: item.publicationStatus,
      recordCount: options.recordCount(wire),
      updatedAt: inUtc(item.updatedAt),
      columns: item.columns.map(({ key, label, type }) => ({ key, label, type })),
    }
  }

  const describe: ConnectorResource['describe'] = async (access, uuid, signal) => {
    const answer = await client.get(access, {
      path: `${path}/${encodeURIComponent(uuid)}`,
      asked: { kind: resource },
      policy,
      signal,
    })
    const item = present(checkItem(answer.value))
    // Its records are requested next, under the uuid in its answer.
    if (item.uuid !== uuid.toLowerCase()) {
      throw remoteFailure(
        'malformed',
        resource === 'form' ? connectorMessages.anotherForm() : connectorMessages.anotherCard(),
      )
    }
    return item
  }

  return {
    describe,

    async list(access, { search, page, limit }, signal) {
      const query = { search: search === '' ? undefined : search, page, limit }
      const asked = { kind: 'listing' } as const
      const answer = await client.get(access, { path, query, asked, policy, signal })
      const list = checkList(answer.value) as {
        items: Static<Item>[]
        total: number
        page: number
        limit: number
      }
      return {
        items: list.items.map(present),
        total: list.total,
        page: list.page,
        limit: list.limit,
      }
    },

    async open(access, uuid, signal) {
      const item = await describe(access, uuid, signal)
      return { item, source: load(access, item) }
    },
  }
}

/** An unreadable time is not worth a failure, since it is only shown. */
function inUtc(moment: string | null): string | null {
  const at = moment === null ? NaN : Date.parse(moment)
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}
