import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'

import { expect } from 'chai'

import { DEMO_CONNECTION_UUID } from '../../seeds/connections.ts'
import { runCli } from '../support/cli.ts'
import { makeFolder } from '../support/folder.ts'
import { found } from '../support/patience.ts'
import { sourceForm } from '../support/sources.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'

const CONNECTION = `/connections/${DEMO_CONNECTION_UUID}`

async function listenOn(port: number): Promise<Server> {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  return server
}

async function call(address: string, path: string, init: RequestInit = {}) {
  const answer = await fetch(address + path, init)
  return { status: answer.status, body: (await answer.json()) as ReturnType<typeof JSON.parse> }
}

async function signIn(address: string): Promise<(path: string) => ReturnType<typeof call>> {
  const { body } = await call(address, '/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@lumiere.test', password: 'demo-password' }),
  })
  return (path) => call(address, path, { headers: { 'x-app-access-token': body.token } })
}

const logIn = async (address: string, email: string, password: string) =>
  call(address, '/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })

describe('an embedded service that others may reach, or that has users', () => {
  let dataDir: string
  before(async () => {
    dataDir = await makeFolder('embedded')
  })
  after(() => rm(dataDir, { recursive: true, force: true }))

  it('has no demo world, and says how the first super-admin is made', async () => {
    const settings = { DATA_DIR: dataDir, LOG_LEVEL: 'error' }
    const refused = async (server: ServerProcess) => {
      const { status } = await logIn(server.address, 'super@demo.test', 'demo-password')
      expect(status).to.equal(401)
      expect(server.output.join('\n')).to.not.include('demo-password')
    }
    const told = (server: ServerProcess) =>
      found(
        'how the first super-admin is made',
        () => server.output.find((line) => line.includes('user create')) ?? null,
      )
    for (const exposed of [
      { PUBLIC_URL: 'https://administration.example.com' },
      { TRUST_PROXY: 'true' },
      { HOST: '0.0.0.0' },
    ]) {
      const server = await startServer({ ...settings, ...exposed })
      try {
        await told(server)
        await refused(server)
      } finally {
        await server.stop()
      }
    }

    // Somebody is there now, so they are not joined by people whose password everybody knows.
    const server = await startServer({ ...settings, TRUST_PROXY: 'true' })
    const person = ['--email', 'ada@example.com', '--name', 'Ada', '--account-type', 'enterprise']
    const made = await runCli(['user', 'create', ...person, '--role', 'client'], settings)
    expect(made.code, made.stderr).to.equal(0)
    await server.stop()
    const again = await startServer(settings)
    try {
      const line = await told(again)
      await refused(again)
      const args = line.slice(line.indexOf('user create')).replace('"Your name"', 'Root').split(' ')
      const root = await runCli([...args, '--password', 'a long password'], settings)
      expect(root.code, root.stderr).to.equal(0)
      const { status } = await logIn(again.address, 'you@example.com', 'a long password')
      expect(status).to.equal(200)
    } finally {
      await again.stop()
    }
  })
})

describe('a demo world of before', () => {
  it('is not added to once somebody has loaded something', async () => {
    const dataDir = await makeFolder('embedded')
    const marker = join(dataDir, 'demo-collection')
    try {
      await writeFile(marker, '')
      const settings = { DATA_DIR: dataDir, LOG_LEVEL: 'error' }
      const former = await startServer(settings)
      const fields = { source: 'file', name: 'Ours', tableName: 'ours' }
      const { body } = await logIn(former.address, 'admin@lumiere.test', 'demo-password')
      const made = await call(former.address, '/sources', {
        method: 'POST',
        headers: { 'x-app-access-token': body.token },
        body: sourceForm(fields, 'a;b\n1;2\n'),
      })
      expect(made.status).to.equal(201)
      await former.stop()
      await rm(marker)
      const server = await startServer(settings)
      const get = await signIn(server.address)
      const { items } = (await get('/sources')).body
      expect(items.map(({ tableName }: { tableName: string }) => tableName)).to.deep.equal(['ours'])
      expect((await get('/collections')).body.total).to.equal(0)
      expect((await stat(marker)).isFile()).to.equal(true)
      await server.stop()
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})

describe('an embedded service', () => {
  let dataDir: string
  let running: ServerProcess | undefined
  before(async () => {
    dataDir = await makeFolder('embedded')
  })
  after(async () => {
    // Killed it would leave its database running.
    await running?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const settings = () => ({ DATA_DIR: dataDir, LOG_LEVEL: 'error' })
  const start = async () => {
    running = await startServer(settings())
    return { server: running, get: await signIn(running.address) }
  }

  it('prints its address first, then how to sign in, and has forms and cards to browse', async () => {
    const { server, get } = await start()
    expect(server.output[0]).to.equal(`Listening on ${server.address}`)
    expect(server.output[1]).to.equal(`Open ${server.address}/console/ in a browser`)
    expect((await fetch(`${server.address}/console/`)).status).to.equal(200)
    expect(server.output.join('\n')).to.include('admin@lumiere.test').and.include('demo-password')
    const forms = await get(`${CONNECTION}/browse`)
    expect(forms.status).to.equal(200)
    expect(forms.body.total).to.be.greaterThan(0)
    expect((await get(`${CONNECTION}/cards`)).status).to.equal(200)
    const { body } = await get('/collections')
    expect(body.items.map(({ slots }: { slots: object }) => slots)).to.deep.equal([
      { awaited: 1, refused: 1, received: 1, accepted: 1, late: 0 },
    ])
  })

  it('can still read its API keys after another process rotated the master keys', async () => {
    const server = running!
    const before = await readFile(join(dataDir, 'encryption-keys'), 'utf8')
    const { code, stdout } = await runCli(['keys', 'rotate'], settings())
    expect(code).to.equal(0)
    expect(stdout).to.match(/^Re-encrypted 1 API keys/)
    const after = await readFile(join(dataDir, 'encryption-keys'), 'utf8')
    expect(after.endsWith(`,${before}`)).to.equal(true)
    expect((await stat(join(dataDir, 'encryption-keys'))).mode & 0o777).to.equal(0o600)
    const get = await signIn(server.address)
    expect((await get(`${CONNECTION}/browse`)).status).to.equal(200)
  })

  it('has its data again after a kill, with the forms application at the same address', async () => {
    const before = (await (await signIn(running!.address))(CONNECTION)).body
    await running!.kill()
    const { server, get } = await start()
    expect(server.output[0]).to.equal(`Listening on ${server.address}`)
    expect(server.output.join('\n')).to.include('Sign in with POST')
    expect((await get(CONNECTION)).body).to.deep.equal(before)
    expect((await get(`${CONNECTION}/browse`)).status).to.equal(200)
  })

  it('moves the forms application when its port is taken, and the connection with it', async () => {
    const former = (await (await signIn(running!.address))(CONNECTION)).body
    const stopped = await running!.stop()
    expect(stopped.code).to.equal(0)
    const other = await listenOn(Number(new URL(former.baseUrl).port))
    try {
      const { get } = await start()
      const moved = (await get(CONNECTION)).body
      expect(moved.baseUrl).to.not.equal(former.baseUrl)
      expect({ ...moved, baseUrl: '' }).to.deep.equal({ ...former, baseUrl: '' })
      expect((await get(`${CONNECTION}/browse`)).status).to.equal(200)
    } finally {
      await new Promise((resolve) => void other.close(resolve))
    }
  })
})
