import { createReadStream, openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'

import { postForm } from './post-form.ts'
import { serviceProcess } from './service-process.ts'
import { type BenchmarkUser, createAdmin } from './users.ts'

/** The service in a process of its own, and an admin of it. */
export interface BenchedService extends AsyncDisposable {
  readonly address: string
  /** Of the admin, for who calls by themselves. */
  readonly token: string
  readonly pid: number
  readonly admin: BenchmarkUser
  readonly schema: string
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Uploads a file into a new source; its uuid. */
  createSource(path: string, tableName: string): Promise<string>
  /** Uploads a file into a source that is there. */
  reload(source: string, path: string, fields?: Readonly<Record<string, string>>): Promise<void>
  /** The same by a queued job; the path of that. */
  reloadLater(source: string, path: string): Promise<string>
}

/** On a migrated database. `known`: the admin of a service that ran there before. */
export async function benchedService(
  url: string,
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
  known?: BenchmarkUser,
): Promise<BenchedService> {
  const process = await serviceProcess(url, dataDir, { environment })
  const admin = known ?? (await createAdmin(url))
  const { uuid, enterpriseId } = admin
  const token = await process.tokenOf(uuid)

  const call: BenchedService['fetch'] = async (path, init = {}) => {
    const headers = { 'x-app-access-token': token, 'accept-encoding': 'identity' }
    const response = await fetch(process.address + path, { ...init, headers })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response
  }
  const upload = async (to: string, path: string, fields: Readonly<Record<string, string>>) =>
    postForm(process.address + to, token, fields, {
      name: 'bench.csv',
      sizeBytes: (await stat(path)).size,
      content: createReadStream(path, { highWaterMark: 1024 * 1024 }),
    })
  return {
    address: process.address,
    token,
    pid: process.pid,
    admin,
    schema: `enterprise_${enterpriseId}`,
    fetch: call,
    async createSource(path, tableName) {
      const fields = { source: 'file', name: tableName, tableName }
      const answer = await upload('/sources', path, fields)
      return (JSON.parse(answer) as { uuid: string }).uuid
    },
    async reload(source, path, fields = {}) {
      await upload(`/sources/${source}/reload`, path, fields)
    },
    async reloadLater(source, path) {
      const form = new FormData()
      form.append('file', await openAsBlob(path), 'bench.csv')
      const response = await fetch(`${process.address}/sources/${source}/reload`, {
        method: 'POST',
        headers: { 'x-app-access-token': token, prefer: 'respond-async' },
        body: form,
      })
      if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`)
      return response.headers.get('location')!
    },
    [Symbol.asyncDispose]: () => process[Symbol.asyncDispose](),
  }
}
