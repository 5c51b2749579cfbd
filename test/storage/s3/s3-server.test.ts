import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'

import {
  type ChecksumAlgorithm,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { expect } from 'chai'

import { someBytes } from '../../contracts/stored-bytes.ts'
import { failure } from '../../support/failure.ts'
import { CHECKSUMS } from '../../support/s3-server/checksums.ts'
import { type S3Server, startS3Server } from '../../support/s3-server/index.ts'

const CREDENTIALS = { accessKeyId: 'key', secretAccessKey: 'secret' }

/** What the other tests stand on: the server refuses what a real one would. */
describe('the S3 server for tests', () => {
  let server: S3Server
  const clients: S3Client[] = []
  const clientWith = (changes: S3ClientConfig = {}) => {
    const client = new S3Client({
      endpoint: server.endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: CREDENTIALS,
      maxAttempts: 1,
      ...changes,
    })
    clients.push(client)
    return client
  }

  before(async () => {
    server = await startS3Server({ ...CREDENTIALS, buckets: ['bucket'] })
  })
  after(async () => {
    for (const client of clients) client.destroy()
    await server.close()
  })

  for (const [name, expected] of [
    ['crc32', 'y/Q5Jg=='],
    ['crc32c', '4waSgw=='],
    ['crc64nvme', 'rosUhgp5mIg='],
    ['sha1', '98O8HYCOBHMq32eZZczDTKeuNEE='],
  ] as const) {
    it(`computes ${name} as the standard defines it`, () => {
      const checksum = CHECKSUMS[name]!()
      checksum.update(Buffer.from('1234'))
      checksum.update(Buffer.from('56789'))
      expect(checksum.base64()).to.equal(expected)
    })
  }

  for (const algorithm of ['CRC32', 'CRC32C', 'SHA1', 'SHA256'] as ChecksumAlgorithm[]) {
    it(`takes a stream in aws-chunked with a trailing ${algorithm}`, async () => {
      const bytes = someBytes(300_000)
      const client = clientWith()
      const target = { Bucket: 'bucket', Key: `chunked ${algorithm}` }
      const body = Readable.from([bytes.subarray(0, 70_001), bytes.subarray(70_001)])
      const command = new PutObjectCommand({
        ...target,
        Body: body,
        ContentLength: bytes.length,
        ChecksumAlgorithm: algorithm,
      })
      await client.send(command)
      const { Body } = await client.send(new GetObjectCommand(target))
      const read = await Body?.transformToByteArray()
      expect(Buffer.from(read ?? []).equals(bytes)).to.equal(true)
    })
  }

  it('refuses a body whose checksum is another one', async () => {
    const command = new PutObjectCommand({
      Bucket: 'bucket',
      Key: 'wrong',
      Body: 'bytes',
      ChecksumCRC32: 'AAAAAA==',
    })
    expect(await failure(clientWith().send(command))).to.have.property('name', 'BadDigest')
    expect(server.keysIn('bucket')).to.not.include('wrong')
  })

  it('refuses a wrong secret, a wrong key and a wrong clock', async () => {
    const command = new GetObjectCommand({ Bucket: 'bucket', Key: 'a' })
    for (const [changes, name] of [
      [{ credentials: { ...CREDENTIALS, secretAccessKey: 'x' } }, 'SignatureDoesNotMatch'],
      [{ credentials: { ...CREDENTIALS, accessKeyId: 'x' } }, 'InvalidAccessKeyId'],
      [{ systemClockOffset: 3_600_000 }, 'RequestTimeTooSkewed'],
    ] as const) {
      expect(await failure(clientWith(changes).send(command))).to.have.property('name', name)
    }
  })

  it('refuses requests that are not signed, or were altered afterwards', async () => {
    const unsigned = await fetch(`${server.endpoint}/bucket/a`)
    await unsigned.body?.cancel()
    expect(unsigned.status).to.equal(403)

    const client = clientWith({ requestChecksumCalculation: 'WHEN_REQUIRED' })
    const command = new PutObjectCommand({ Bucket: 'bucket', Key: 'presigned' })
    const url = await getSignedUrl(client, command, { expiresIn: 60 })
    const withHeader = await fetch(url, { method: 'PUT', body: 'x', headers: { 'x-amz-acl': 'x' } })
    expect(withHeader.status).to.equal(403)
    const sent = await fetch(url, { method: 'PUT', body: 'x' })
    expect(sent.status).to.equal(200)
    expect(sent.headers.get('etag')).to.equal(`"${createHash('md5').update('x').digest('hex')}"`)
  })
})
