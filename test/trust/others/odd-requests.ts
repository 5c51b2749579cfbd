import { createHmac } from 'node:crypto'

import { expect } from 'chai'

import type { World } from '../world.ts'
import { type Assailant, loops } from './assailant.ts'
import type { Assault } from './assault.ts'

const UPLOAD_BYTES = 10 * 10 ** 9
const JSON_TYPE = { 'content-type': 'application/json' }

/** Small, and once kept for ever, or answered with a failure. */
export const ODD_REQUESTS: readonly Assault[] = [
  {
    name: 'uploads in parts that are begun and never ended',
    async prepare({ world, owner, scale }) {
      const begun: string[] = []
      return {
        run: (assailant, signal) =>
          loops(4, signal, async (nth) => {
            if (nth > 0 && begun.length > 0) return completeTooSoon(assailant, begun.at(-nth))
            if (begun.length >= scale.partUploads) return null
            const answer = await beginUpload(assailant)
            if (answer?.status === 201) begun.push(uuidIn(answer.text))
            return answer
          }),
        answers: [200, 201, 400, 404, 409, 413, 429, 503],
        awaited: 413,
        async end() {
          await expectEndAsBegun(world)
          for (const uuid of begun) {
            await owner.ask(`/documents/uploads/${uuid}`, { method: 'DELETE' })
          }
        },
      }
    },
  },
  {
    name: 'a long email, a list for a subject, keys for uploads in parts',
    async prepare({ world }) {
      const email = `${'a'.repeat(243)}@example.com`
      const login = { email, password: 'x'.repeat(20) }
      const subjects = listedSubject(world)
      return {
        run: (assailant, signal) =>
          loops(1, signal, async () => {
            await assailant.ask('/auth/login', {
              method: 'POST',
              headers: JSON_TYPE,
              body: JSON.stringify(login),
            })
            await assailant.ask('/auth/me', { headers: { 'x-app-access-token': subjects } })
            const begun = await beginUpload(assailant, { 'idempotency-key': 'the-same' })
            if (begun?.status === 201) {
              const path = `/documents/uploads/${uuidIn(begun.text)}`
              await assailant.ask(path, { method: 'DELETE' })
            }
          }),
        answers: [200, 201, 400, 401, 404, 409, 422, 429, 503],
        awaited: 401,
        end: () => expectNoSignature(world),
      }
    },
  },
]

/** The address of the upload stands at the beginning of the answer, its links after it. */
const uuidIn = (text: string): string => /"uuid":"([^"]+)"/.exec(text)![1]!

const beginUpload = (assailant: Assailant, headers: Readonly<Record<string, string>> = {}) =>
  assailant.ask('/documents/uploads', {
    method: 'POST',
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify({ filename: 'a.bin', size: UPLOAD_BYTES }),
  })

async function completeTooSoon(assailant: Assailant, uuid: string | undefined) {
  return uuid === undefined
    ? null
    : assailant.ask(`/documents/uploads/${uuid}/complete`, { method: 'POST' })
}

/** A completion that failed leaves an upload the time that it was given. */
async function expectEndAsBegun({ pool, people }: World): Promise<void> {
  const { rows } = await pool.query<{ lengths: number }>(
    `select count(distinct extract(epoch from expires_at - created_at)::int)::int as lengths
     from document_uploads where user_id = $1`,
    [people.admin.id],
  )
  expect(rows[0]!.lengths, 'different times to live').to.be.at.most(1)
}

function listedSubject({ authSecret, people }: World): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1000) + 3600
  const content = `${encode({ alg: 'HS256' })}.${encode({ sub: [people.admin.uuid], exp })}`
  return `${content}.${createHmac('sha256', authSecret).update(content).digest('base64url')}`
}

async function expectNoSignature({ pool }: World): Promise<void> {
  const { rows } = await pool.query<{ kept: number }>(
    `select count(*)::int as kept from idempotency_keys
     where idempotency_keys::text ~* 'signature'`,
  )
  expect(rows[0]!.kept, 'links with a signature in the database').to.equal(0)
}
