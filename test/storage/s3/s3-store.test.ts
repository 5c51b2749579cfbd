import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'

import { createS3Store, type S3Settings } from '../../../src/storage/s3/create-s3-store.ts'
import { describeObjectStore } from '../../contracts/object-store.ts'
import { startS3Server } from '../../support/s3-server/index.ts'

/**
 * Against the server of ours, or a real one at TEST_S3_ENDPOINT. Where real ones differ from each
 * other, the suite asks for what S3 itself answers, and our own server answers so:
 *
 * - A key is any text: S3's answer. versitygw and MinIO keep objects as files and refuse `a/b` beside
 *   `a`, `a//b` or a backslash, so that only keys like those the service makes are tried there.
 * - HEAD at a link for GET is 403: S3's answer, which all of them give.
 * - POST at a link is refused, with 400 to 405: what S3 says of a POST to an object depends on its
 *   body. Our own answer is 403.
 * - Completing an upload that was aborted is NoSuchUpload: S3's answer. versitygw looks at the form of
 *   the ETags first, so that they have the form of one here.
 * - An upload number that is a path: no S3 server gives one out. What ours makes of it is asked in the
 *   tests of the local folder alone.
 */
const BUCKETS = ['contract-documents', 'contract-archive'] as const
const CREDENTIALS = { accessKeyId: 'test-key', secretAccessKey: 'test-secret' }

const settingsFor = (endpoint: string, credentials = CREDENTIALS): S3Settings => ({
  bucket: BUCKETS[0],
  endpoint,
  publicEndpoint: null,
  region: process.env.TEST_S3_REGION ?? 'us-east-1',
  forcePathStyle: true,
  credentials,
})

const realEndpoint = process.env.TEST_S3_ENDPOINT

if (realEndpoint === undefined) {
  describeObjectStore('S3', async () => {
    const server = await startS3Server({ ...CREDENTIALS, buckets: BUCKETS })
    const store = createS3Store(settingsFor(server.endpoint))
    return {
      store,
      buckets: BUCKETS,
      async close() {
        await store.close()
        await server.close()
      },
    }
  })
} else {
  describeObjectStore(`S3 at ${realEndpoint}`, async () => {
    const credentials = {
      accessKeyId: process.env.TEST_S3_ACCESS_KEY_ID ?? '',
      secretAccessKey: process.env.TEST_S3_SECRET_ACCESS_KEY ?? '',
    }
    const settings = settingsFor(realEndpoint, credentials)
    await makeBuckets(realEndpoint, settings)
    const store = createS3Store(settings)
    return { store, buckets: BUCKETS, keysArePaths: true, close: () => store.close() }
  })
}

async function makeBuckets(endpoint: string, { region, credentials }: S3Settings): Promise<void> {
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    ...(credentials && { credentials }),
  })
  try {
    for (const Bucket of BUCKETS) {
      try {
        await client.send(new CreateBucketCommand({ Bucket }))
      } catch (error) {
        if ((error as Error).name !== 'BucketAlreadyOwnedByYou') throw error
      }
    }
  } finally {
    client.destroy()
  }
}
