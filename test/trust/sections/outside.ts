import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import type { TestClient, TestResponse } from '../../support/client.ts'
import {
  type IdentityProvider,
  type ProviderFault,
  startIdentityProvider,
} from '../../support/identity-provider.ts'
import { type MailServer, startMailServer } from '../../support/mail-server.ts'
import type { Fault } from '../../support/s3-server/index.ts'
import type { Section, Trials } from '../section.ts'
import { uploadDocument } from '../authorisation/things.ts'
import { postSource } from '../deeds/sources.ts'
import { csvOf } from '../tools/csv-of.ts'
import { until } from '../tools/until.ts'
import { openWorld, type World } from '../world.ts'

const TOLD_WITHIN_MS = 5_000
const BACK_WITHIN_MS = 10_000
const FROZEN_MS = 12_000
const FROZEN_FOR_GOOD_MS = 600_000
/** A request to the storage ends after 45 s, and so does what is tidied up behind it. */
const TOLD_OF_FROZEN_WITHIN_MS = 90_000
/** The limit of the health check, and what a busy machine adds to it. */
const HEALTH_WITHIN_MS = 4_000

export const outside: Section = {
  name: 'outside',
  about:
    'object storage, identity provider and mail server that are away, and what is said of them',
  async run(trials) {
    await objectStorage(trials)
    await identityProvider(trials)
    await mailServers(trials)
  },
}

interface StorageFault {
  readonly name: string
  begin(world: World): void
  end(world: World): void
}

const answering = (name: string, effect: object): StorageFault => ({
  name,
  begin({ s3 }) {
    const operations = ['HeadBucket', 'PutObject', 'GetObject', 'HeadObject'] as const
    for (const operation of operations) {
      s3!.addFault({ operation, times: Infinity, ...effect } as Fault)
    }
  },
  end: ({ s3 }) => s3!.clearFaults(),
})

const STORAGE_FAULTS: readonly StorageFault[] = [
  {
    name: 'refused',
    begin({ s3Proxy }) {
      s3Proxy!.refuse(true)
      s3Proxy!.cutAll()
    },
    end: ({ s3Proxy }) => s3Proxy!.refuse(false),
  },
  answering('reset', { kind: 'reset', when: 'before' }),
  answering('403', { kind: 'answer', status: 403, code: 'AccessDenied' }),
  answering('404 for the bucket', { kind: 'answer', status: 404, code: 'NoSuchBucket' }),
  answering('500', { kind: 'answer', status: 500, code: 'InternalError' }),
]

async function objectStorage(trials: Trials): Promise<void> {
  await using world = await openWorld(trials, { store: 's3', storeByProxy: true })
  const faults = trials.extent === 'ci' ? STORAGE_FAULTS.slice(0, 1) : STORAGE_FAULTS
  for (const fault of faults) {
    await trials.attempt(`object storage ${fault.name}`, () => nameStorage(world, fault))
  }
  if (trials.extent !== 'ci') {
    await trials.attempt(`object storage frozen for ${FROZEN_MS / 1000} s`, () => freeze(world))
    await trials.attempt('object storage frozen for good', () => freezeForGood(world))
  }
  await trials.attempt('object storage: nothing left behind', () => world.assertInvariants())
}

/** In answers, in the health check, in a job that waits and then succeeds. */
async function nameStorage(world: World, fault: StorageFault): Promise<string> {
  const { client, people, answers } = world
  const admin = client.as(people.admin)
  const document = await uploadDocument(world, people.admin, 'before.csv')
  const total = async () => (await admin.get('/documents')).body.total as number
  const before = await total()
  let job = ''
  await answers.whileFailing(async () => {
    fault.begin(world)
    try {
      const answer = await uploadDocument(world, people.admin, 'meanwhile.csv')
      expectNamed(answer, /object storage/i)
      await expectHealth(world, { database: true, storage: false })
      job = await queueLoad(admin, document.body.uuid as string)
      await until('the job waits', world.within(TOLD_WITHIN_MS), async () => {
        return (await admin.get(job)).body.waitingFor === 'object-storage'
      })
    } finally {
      fault.end(world)
    }
  })
  const backMs = await until('the job has succeeded', world.within(BACK_WITHIN_MS), async () => {
    return (await admin.get(job)).body.status === 'SUCCEEDED'
  })
  expect(await total(), 'documents').to.equal(before)
  return `the job was done ${Math.round(backMs)} ms later`
}

/** Connections stay open and nothing comes: an upload outlives that. */
async function freeze(world: World): Promise<string> {
  const { client, people, answers, s3Proxy } = world
  return answers.whileFailing(async () => {
    s3Proxy!.delay(FROZEN_MS)
    const begun = performance.now()
    const uploading = uploadDocument(world, people.admin, 'frozen.csv')
    await expectHealth(world, { database: true, storage: false })
    expect((await client.as(people.admin).get('/sources')).status).to.equal(200)
    await sleep(FROZEN_MS - (performance.now() - begun))
    s3Proxy!.delay(0)
    const answer = await uploading
    expect(answer.status, answer.text).to.equal(201)
    return `the upload took ${Math.round((performance.now() - begun) / 1000)} s`
  })
}

/** Whoever sends a file is told in time, and takes the name once the storage is back. */
async function freezeForGood(world: World): Promise<string> {
  const { client, people, answers, s3Proxy } = world
  const send = () =>
    postSource(client.as(people.admin), { tableName: 'frozen', content: csvOf('new', 40_000) })
  const tookMs = await answers.whileFailing(async () => {
    s3Proxy!.delay(FROZEN_FOR_GOOD_MS)
    const begun = performance.now()
    expectNamed(await send(), /object storage/i)
    return performance.now() - begun
  })
  expect(tookMs, 'ms to the answer').to.be.below(world.within(TOLD_OF_FROZEN_WITHIN_MS))
  s3Proxy!.delay(0)
  s3Proxy!.cutAll()
  const again = await send()
  expect(again.status, again.text).to.equal(201)
  return `told after ${Math.round(tookMs / 1000)} s`
}

async function queueLoad(admin: TestClient, documentUuid: string): Promise<string> {
  const answer = await admin.withHeaders({ prefer: 'respond-async' }).post('/sources', {
    source: 'file',
    name: 'Waits',
    tableName: `waits_${randomUUID().slice(0, 8)}`,
    documentUuid,
  })
  expect(answer.status, answer.text).to.equal(202)
  return answer.headers.get('location')!
}

function expectNamed(answer: TestResponse, said: RegExp): void {
  expect(answer.status, answer.text).to.equal(503)
  expect(Number(answer.headers.get('retry-after')), 'Retry-After').to.be.above(0)
  expect(answer.body.detail).to.match(said)
}

async function expectHealth(
  { client, within }: World,
  parts: Readonly<Record<string, boolean>>,
): Promise<void> {
  const begun = performance.now()
  const answer = await client.get('/health/ready')
  // Rows are read without the storage, but nothing works without the database.
  expect(answer.status, 'readiness').to.equal(parts['database'] === true ? 200 : 503)
  expect(answer.body, answer.text).to.deep.include({ parts })
  expect(performance.now() - begun, 'ms for the health check').to.be.below(within(HEALTH_WITHIN_MS))
}

const PROVIDER_FAULTS: readonly ProviderFault[] = [
  'status 500',
  'a page',
  'keys that are none',
  'nothing',
  'silence',
]

async function identityProvider(trials: Trials): Promise<void> {
  await using world = await openWorld(trials)
  const provider = await startIdentityProvider()
  try {
    const faults = trials.extent === 'ci' ? PROVIDER_FAULTS.slice(0, 1) : PROVIDER_FAULTS
    for (const fault of faults) {
      await trials.attempt(`identity provider answers ${fault}`, () =>
        nameProvider(world, provider, fault),
      )
    }
  } finally {
    await provider.stop()
  }
}

/** A token that could be good is 503, one that could not is 401, and one whose key is known is taken. */
async function nameProvider(
  world: World,
  provider: IdentityProvider,
  fault: ProviderFault,
): Promise<void> {
  const { people, answers } = world
  provider.failWith(fault)
  const server = await world.start({
    AUTH_JWKS_URL: provider.url,
    AUTH_ALGORITHMS: 'ES256',
    AUTH_SECRET: '',
  })
  try {
    const client = world.clientOf(server)
    const profile = (token: string) =>
      client.withHeaders({ 'x-app-access-token': token }).get('/auth/me')
    const expired = Math.floor(Date.now() / 1000) - 3600
    await answers.whileFailing(async () => {
      expectNamed(
        await profile(await provider.token(people.admin.uuid)),
        /identity provider|fournisseur/i,
      )
      const late = await provider.token(people.admin.uuid, { exp: expired })
      expect((await profile(late)).status, 'an expired token').to.equal(401)
      const hmac = await world.client.as(people.admin).token()
      expect((await profile(hmac)).status, 'an algorithm that is not allowed').to.equal(401)
      expect(server.output.join('\n')).to.include(
        'asking the identity provider for its keys failed',
      )
      provider.failWith(null)
      expect((await profile(await provider.token(people.admin.uuid))).status).to.equal(200)
      provider.failWith(fault)
      expect((await profile(await provider.token(people.otherAdmin.uuid))).status).to.equal(200)
      provider.rotate()
      expect((await profile(await provider.token(people.admin.uuid))).status).to.equal(503)
      provider.failWith(null)
      expect((await profile(await provider.token(people.admin.uuid))).status).to.equal(200)
    })
  } finally {
    await server.stop()
  }
}

interface MailFault {
  readonly name: string
  readonly offersStartTls: boolean
  /** Of the address that leads to the server. */
  change(url: string): string
  readonly said: string
  /** Whether the server gets to see a password. */
  readonly signsIn: boolean
}

// Leads to this machine, as a name would that the service does not know for its own.
const elsewhere = (url: string) => url.replace('@127.0.0.1', '@0.0.0.0')

const MAIL_FAULTS: readonly MailFault[] = [
  {
    name: 'offers no STARTTLS',
    offersStartTls: false,
    change: elsewhere,
    said: 'STARTTLS',
    signsIn: false,
  },
  {
    name: 'has an unknown certificate',
    offersStartTls: true,
    change: elsewhere,
    said: 'certificate',
    signsIn: false,
  },
  {
    name: 'refuses the password',
    offersStartTls: false,
    change: (url) => url.replace(/:[^:@/]+@/, ':wrong@'),
    said: 'refuses the user or the password',
    signsIn: true,
  },
]

async function mailServers(trials: Trials): Promise<void> {
  await using world = await openWorld(trials)
  const faults = trials.extent === 'ci' ? MAIL_FAULTS.slice(0, 1) : MAIL_FAULTS
  for (const fault of faults) {
    await trials.attempt(`mail server ${fault.name}`, async () => {
      const mails = await startMailServer({ offersStartTls: fault.offersStartTls })
      try {
        await nameMailServer(world, mails, fault)
      } finally {
        await mails.close()
      }
    })
  }
}

/** The deletion succeeds without its mail, and the log says why there was none. */
async function nameMailServer(world: World, mails: MailServer, fault: MailFault): Promise<void> {
  const { build, people } = world
  const server = await world.start({
    SMTP_URL: fault.change(mails.url),
    FOLDER_DELETE_NOTICE_AFTER: '0ms',
  })
  try {
    const superAdmin = world.clientOf(server).as(people.superAdmin)
    const { id: enterpriseId } = await build.enterprise()
    const root = await superAdmin.post('/folders', { name: 'Notice', enterpriseId })
    const deleted = await superAdmin.delete(`/folders/${root.body.uuid}/root`, {
      folderName: 'Notice',
    })
    expect(deleted.status, deleted.text).to.equal(200)
    expect(deleted.body).to.include({ folderDeleted: true, notified: false })
    const toldOf = () => server.output.find((line) => line.includes('notice of a deletion'))
    await until('the log tells of it', world.within(TOLD_WITHIN_MS), async () => !!toldOf())
    expect(toldOf()).to.include(fault.said)
    expect(mails.mails.length, 'mails').to.equal(0)
    expect(mails.signIns > 0, 'a password was sent').to.equal(fault.signsIn)
  } finally {
    await server.stop()
  }
}
