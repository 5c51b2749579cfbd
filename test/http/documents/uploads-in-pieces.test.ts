import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

import { expect } from 'chai'

import { BOUNDARY, formBody } from '../../../benchmarks/support/form-body.ts'
import type { Actor } from '../../../src/domain/actor.ts'
import { useApp } from '../../support/app.ts'
import { type SeededRandom, seededRandom } from '../../support/seeded-random.ts'
import { freshTableName } from '../../support/sources.ts'
import { objectsIn } from '../../support/uploads.ts'

/** What looks like the end of the file until its last byte. */
const TEMPTING = [
  '\r',
  '\n',
  '\r\n',
  '\r\n-',
  '\r\n--',
  '\r\n--b',
  `\r\n--${BOUNDARY.slice(0, -1)}`,
]

describe('uploads that come in pieces', () => {
  const app = useApp()
  let admin: Actor

  before(async () => {
    admin = await app.build.user()
  })

  /** Cut anywhere: between two bytes of a line break, of a boundary, of a character. */
  function* pieces(bytes: Buffer, random: SeededRandom): Generator<Buffer> {
    for (let at = 0; at < bytes.length;) {
      const size = random.pick([1, 2, 7, 100, 4_000, 30_000, 65_536, 200_000])
      const breaks = bytes.indexOf('\r\n', at + random.integer(0, size))
      const isTempting = random.chance(0.3) && breaks !== -1
      const end = isTempting ? breaks + random.integer(1, 10) : at + size
      yield bytes.subarray(at, end)
      at = end
    }
  }

  async function send(path: string, fields: Record<string, string>, file: Buffer, seed: number) {
    const random = seededRandom(seed)
    const { type, head, end } = formBody(fields, 'file')
    const body = Buffer.concat([Buffer.from(head), file, Buffer.from(end)])
    const outgoing = request(app.address + path, {
      method: 'POST',
      agent: false,
      headers: {
        'x-app-access-token': await app.client.as(admin).token(),
        'content-type': type,
      },
    })
    outgoing.setNoDelay(true)
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
    for (const piece of pieces(body, random)) {
      if (!outgoing.write(piece)) await once(outgoing, 'drain')
      else if (random.chance(0.5)) await nextTurn()
    }
    outgoing.end()
    const [response] = await answered
    const answer = JSON.parse(await text(response))
    expect(response.statusCode, JSON.stringify(answer)).to.equal(201)
    return answer
  }

  async function newObject(before: readonly string[]): Promise<Buffer> {
    const path = (await objectsIn(app.dataDir)).find((one) => !before.includes(one))
    return readFile(path!)
  }

  for (const seed of [1, 2, 3]) {
    it(`are stored byte for byte (seed ${seed})`, async () => {
      const random = seededRandom(100 + seed)
      const file = Buffer.concat(
        Array.from({ length: 300 }, () =>
          Buffer.concat([
            Buffer.from(random.pick(TEMPTING)),
            Buffer.alloc(random.integer(0, 20_000), String(random.fraction())),
          ]),
        ),
      )
      const before = await objectsIn(app.dataDir)
      await send('/documents', {}, file, seed)
      expect(file.equals(await newObject(before)), 'the same bytes').to.equal(true)
    })

    it(`are loaded cell by cell while they are stored (seed ${seed})`, async () => {
      const random = seededRandom(200 + seed)
      const rows = Array.from({ length: 20_000 }, (_, row) => [
        String(row),
        `${random.pick(TEMPTING)}é€😀 ${'x'.repeat(random.integer(0, 200))} ${random.fraction()}`,
      ])
      const lines = rows.map(([id, remark]) => `${id},"${remark}"\r\n`)
      const file = Buffer.from(`id,remark\r\n${lines.join('')}`)
      const packed = seed === 3 ? gzipSync(file, { level: 0 }) : file
      const before = await objectsIn(app.dataDir)
      const tableName = freshTableName()
      await send('/sources', { source: 'file', name: 'Pieces', tableName }, packed, seed)
      expect(packed.equals(await newObject(before)), 'the same bytes').to.equal(true)
      const { rows: loaded } = await app.database.pool.query(
        `select id::text as nth, remark from enterprise_${admin.enterprise!.id}.${tableName} order by id`,
      )
      expect(loaded).to.have.length(rows.length)
      const wrong = loaded.findIndex(
        ({ nth, remark }, row) => nth !== rows[row]![0] || remark.trim() !== rows[row]![1]!.trim(),
      )
      expect(wrong, JSON.stringify([loaded[wrong], rows[wrong]])).to.equal(-1)
    })
  }
})
