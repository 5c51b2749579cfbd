import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import type { TestFolder } from '../../support/factories.ts'
import { type S3Server, startS3Server } from '../../support/s3-server/index.ts'
import { formOf } from '../../support/uploads.ts'

const HANGS = 'files-a'
const ANSWERS = 'files-b'
/** Three of them are far longer than a short question takes. */
const ATTEMPT_MS = 1_000

describe('permanent deletion of a root folder over a store that never answers', () => {
  let s3: S3Server
  before('starts an object store', async () => {
    s3 = await startS3Server({ buckets: [HANGS, ANSWERS] })
  })
  after('stops it', () => s3.close())

  const app = useApp({
    env: () => s3.settings,
    adjust(config) {
      const storage = { ...config.storage, requestTimeoutMs: ATTEMPT_MS }
      return { ...config, storage }
    },
  })
  let superAdmin: TestClient
  before('signs a super-admin in', async () => {
    superAdmin = app.client.as(await app.build.user({ role: 'super-admin' }))
  })

  const upload = async (folder: TestFolder) => {
    const body = formOf('a.csv', 'x', { folderUuid: folder.uuid })
    const answer = await superAdmin.request('POST', '/documents', body)
    expect(answer.status, answer.text).to.equal(201)
    return answer.body.uuid as string
  }
  /** Rows alone: the store that answers calls their keys absent. */
  const addDocuments = (folder: TestFolder, bucket: string, howMany: number) =>
    app.database.pool.query(
      `insert into documents (enterprise_id, folder_id, bucket, path, original_name, content_type,
                              size_bytes, sha256)
       select $1, $2::bigint, $3, $2::text || '/' || n, 'n', 'text/csv', 1, ''
       from generate_series(1, $4) n`,
      [folder.enterpriseId, folder.id, bucket, howMany],
    )
  const remove = async (folder: TestFolder) => {
    const confirmed = { folderName: folder.name }
    const answer = await superAdmin.delete(`/folders/${folder.uuid}/root`, confirmed)
    expect(answer.status, answer.text).to.equal(200)
    return answer.body
  }

  for (const when of ['before', 'after'] as const) {
    it(`keeps its documents when it hangs ${when} the deletion, and goes on when called again`, async () => {
      const root = await app.build.folder()
      const child = await app.build.folder({ parent: root })
      const kept = [await upload(root), await upload(child)]
      await addDocuments(child, ANSWERS, 5)
      s3.addFault({
        operation: 'DeleteObjects',
        bucket: HANGS,
        times: Infinity,
        kind: 'hang',
        when,
      })

      const first = remove(root)
      const other = superAdmin.get('/folders')
      expect(
        await Promise.race([first.then(() => 'the deletion'), other.then(() => 'the other')]),
      ).to.equal('the other')
      expect((await other).status).to.equal(200)
      const body = await first
      expect(body).to.include({ folderDeleted: false, deletedDocuments: 5 })
      expect(body.failedDocuments.map(({ uuid }: { uuid: string }) => uuid)).to.have.members(kept)
      for (const { reason } of body.failedDocuments) {
        expect(reason).to.be.a('string').that.does.not.include('127.0.0.1')
      }
      for (const uuid of kept) {
        expect((await superAdmin.get(`/documents/${uuid}`)).status).to.equal(200)
      }
      expect(s3.keysIn(HANGS)).to.have.length(when === 'before' ? 2 : 0)

      const second = await remove(root)
      expect(second).to.include({ folderDeleted: false, deletedDocuments: 0, deletedFolders: 0 })
      expect(second.failedDocuments).to.have.length(2)

      s3.clearFaults()
      const third = await remove(root)
      expect(third).to.deep.include({ folderDeleted: true, failedDocuments: [] })
      expect(third).to.include({ deletedDocuments: 2, deletedFolders: 2 })
      expect(s3.keysIn(HANGS)).to.deep.equal([])
      for (const uuid of [...kept, root.uuid]) {
        const { rowCount } = await app.database.pool.query(
          'select from documents where uuid = $1 union all select from folders where uuid = $1',
          [uuid],
        )
        expect(rowCount).to.equal(0)
      }
    })
  }
})
