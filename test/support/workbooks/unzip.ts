import { fromBufferPromise } from 'yauzl'

/** The entries of a zip, unpacked, by their names. */
export async function unzip(bytes: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false })
  const entries = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = []
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
    entries.set(entry.fileName, Buffer.concat(chunks))
  }
  return entries
}
