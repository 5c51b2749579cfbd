import { randomUUID } from 'node:crypto'

import { expect } from 'chai'

import type { TestResponse } from '../../support/client.ts'
import { formOf } from '../../support/uploads.ts'
import { uniqueTable } from '../deeds/sources.ts'
import type { World } from '../world.ts'
import { databaseDigest, expectSameDatabase } from './database-digest.ts'
import { rootOf, type ThingKind, thingMakers } from './things.ts'

/** A request that names two things: the second is checked as well as the first. */
interface Pair {
  /** What is foreign, where everything else is one's own. */
  readonly foreign: ThingKind | 'root'
  readonly as?: 'enterpriseClient'
  /** The call, with one's own things at hand and the uuid that is foreign or absent. */
  call(client: World['client'], uuid: string, own: OwnThings): Promise<TestResponse>
}

interface OwnThings {
  readonly connection: string
  readonly workflow: string
  readonly form: string
}

const apiSource = (connectionUuid: string, formUuid: string) => ({
  source: 'api',
  name: 'Pair',
  tableName: uniqueTable(),
  connectionUuid,
  apiResourceType: 'form',
  formUuid,
})

const fileForm = (fields: Readonly<Record<string, string>>) => formOf('pair.csv', 'a\n1\n', fields)

export const PAIRS: Readonly<Record<string, Pair>> = {
  'a source from a foreign connection': {
    foreign: 'connection',
    call: (client, uuid, { form }) => client.post('/sources', apiSource(uuid, form)),
  },
  'a source from a foreign document': {
    foreign: 'document',
    call: (client, uuid) =>
      client.post('/sources', {
        source: 'file',
        name: 'Pair',
        tableName: uniqueTable(),
        documentUuid: uuid,
      }),
  },
  'a preview of a foreign connection': {
    foreign: 'connection',
    call: (client, uuid, { form }) =>
      client.get(
        `/sources/api-preview?connectionUuid=${uuid}&apiResourceType=form&formUuid=${form}`,
      ),
  },
  'a preview of a foreign document': {
    foreign: 'document',
    call: (client, uuid) => client.post('/sources/preview', { documentUuid: uuid }),
  },
  'a workflow on a foreign connection': {
    foreign: 'connection',
    call: (client, uuid, { workflow, form }) =>
      client.post(`/workflows/${workflow}/source-config`, {
        sourceType: 'api',
        connectionUuid: uuid,
        formUuid: form,
        formTitle: 'Form',
      }),
  },
  'a workflow on a foreign document': {
    foreign: 'document',
    call: (client, uuid, { workflow }) =>
      client.post(`/workflows/${workflow}/source-config`, {
        sourceType: 'document',
        documentUuid: uuid,
      }),
  },
  "a foreign workflow on one's own connection": {
    foreign: 'workflow',
    call: (client, uuid, { connection, form }) =>
      client.post(`/workflows/${uuid}/source-config`, {
        sourceType: 'api',
        connectionUuid: connection,
        formUuid: form,
        formTitle: 'Form',
      }),
  },
  'a workflow preview of a foreign connection': {
    foreign: 'connection',
    call: (client, uuid, { workflow, form }) =>
      client.get(
        `/workflows/${workflow}/source-preview?sourceType=api&connectionUuid=${uuid}&formUuid=${form}`,
      ),
  },
  'a folder below a foreign one': {
    foreign: 'root',
    as: 'enterpriseClient',
    call: (client, uuid) => client.post('/folders', { name: 'Pair', parentUuid: uuid }),
  },
  'a document in a foreign folder': {
    foreign: 'root',
    call: (client, uuid) => client.request('POST', '/documents', fileForm({ folderUuid: uuid })),
  },
  'a direct upload into a foreign folder': {
    foreign: 'root',
    call: (client, uuid) =>
      client.post('/documents/uploads', { filename: 'pair.csv', size: 4, folderUuid: uuid }),
  },
}

/** A creation that was refused is in its caller's own list of jobs, as every long call is. */
const RECORDS = ['jobs']

/** Foreign and absent give the same 404, and change nothing. */
export async function tryPair(pair: Pair, world: World): Promise<void> {
  const { people, forms, pool } = world
  const caller = people[pair.as ?? 'admin']
  const make = thingMakers(world)
  const own: OwnThings = {
    connection: (await make.connection(people.admin, people.enterprise)).uuid,
    workflow: (await make.workflow(people.admin, people.enterprise)).uuid,
    form: forms.forms[0]!.uuid,
  }
  const foreign =
    pair.foreign === 'root'
      ? await rootOf(world, people.otherEnterprise)
      : await make[pair.foreign](people.otherAdmin, people.otherEnterprise)
  const client = world.client.as(caller)
  const before = await databaseDigest(pool, RECORDS)
  const answers = [
    await pair.call(client, foreign.uuid, own),
    await pair.call(client, randomUUID(), own),
  ]
  expect(answers.map(({ status }) => status)).to.deep.equal([404, 404])
  const [first, second] = answers.map(({ body }) => ({ ...body, requestId: '' }) as object)
  expect(first).to.deep.equal(second)
  expectSameDatabase('the database was changed', before, await databaseDigest(pool, RECORDS))
}
