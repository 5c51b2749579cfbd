import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'

import { createS3Store, type S3Settings } from '../../../src/storage/s3/create-s3-store.ts'
import { describeObjectStore } from '../../contracts/object-store.ts'
import { startS3Server } from '../../support/s3-server/index.ts'

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
    return { store, buckets: BUCKETS, close: () => store.close() }
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
