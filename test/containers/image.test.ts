import { spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, dirname, join, resolve } from 'node:path'
import { once } from 'node:events'
import { spawn } from 'node:child_process'

import { expect } from 'chai'

import { useFolder } from '../support/folder.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const CONTAINER = join(ROOT, 'deploy', 'container')

describe('what the image runs', () => {
  const folder = useFolder('image')
  before('puts a node in the way that says what it was asked for', async () => {
    await writeFile(join(folder.path, 'node'), '#!/bin/sh\nfor word; do echo "$word"; done\n', {
      mode: 0o755,
    })
  })

  const run = (...args: string[]) => {
    const { stdout, status } = spawnSync('sh', [join(CONTAINER, 'entrypoint.sh'), ...args], {
      encoding: 'utf8',
      env: { PATH: [folder.path, process.env['PATH']].join(delimiter) },
    })
    expect(status).to.equal(0)
    return stdout.trimEnd().split('\n')
  }

  const CLI = '/app/src/cli/start.js'
  for (const [what, args, asked] of [
    ['the service by itself', [], [CLI, 'serve']],
    ['a command of the product', ['migrate'], [CLI, 'migrate']],
    [
      'its arguments as they are',
      ['inspect', 'a file', '--options', '{"sheet":"*"}'],
      [CLI, 'inspect', 'a file', '--options', '{"sheet":"*"}'],
    ],
    ['a program by its name', ['node', 'src/start.js'], ['src/start.js']],
    ['a shell', ['sh', '-c', 'echo looks around'], ['looks around']],
    ['a program by its path', ['/bin/echo', 'hello'], ['hello']],
  ] as const) {
    it(`is ${what}`, () => {
      expect(run(...args)).to.deep.equal(asked)
    })
  }
})

describe('the health check of the image', () => {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) server.close()
  })

  async function answering(status: number): Promise<string> {
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/health/live' ? status : 404).end()
    })
    servers.push(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return String((server.address() as AddressInfo).port)
  }

  async function check(environment: Readonly<Record<string, string>>): Promise<number> {
    const child = spawn(process.execPath, [join(CONTAINER, 'health-check.js')], {
      env: environment,
      stdio: 'ignore',
    })
    const [code] = (await once(child, 'exit')) as [number]
    return code
  }

  it('passes when the API or the worker answers', async () => {
    const port = await answering(200)
    expect(await check({ PORT: port, WORKER_PORT: port })).to.equal(0)
    expect(await check({ PORT: '1', WORKER_PORT: port })).to.equal(0)
    expect(await check({ PORT: port })).to.equal(0)
  })

  it('fails when nothing answers, or the answer is an error', async () => {
    expect(await check({ PORT: '1', WORKER_PORT: '1' })).to.equal(1)
    expect(await check({ PORT: await answering(503) })).to.equal(1)
  })
})

describe('the packages in the image', () => {
  const folder = useFolder('packages', 'for each')

  it('keep what runs and their licences, and lose maps, types and prose', async () => {
    const kept = [
      'index.js',
      'lib/index.mjs',
      'a.cjs',
      'data.json',
      'LICENSE',
      'LICENCE.md',
      'NOTICE.md',
    ]
    const lost = [
      'README.md',
      'index.js.map',
      'index.d.ts',
      'src/index.ts',
      'lib/index.d.mts',
      'a.d.cts',
    ]
    for (const name of [...kept, ...lost]) {
      const path = join(folder.path, 'node_modules', 'package', name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, '')
    }
    const dockerfile = await readFile(join(ROOT, 'Dockerfile'), 'utf8')
    const command = /^RUN (find node_modules (?:.*\\\n)*.*)$/m.exec(dockerfile)![1]!
    expect(spawnSync('sh', ['-c', command], { cwd: folder.path }).status).to.equal(0)
    const left = await readdir(join(folder.path, 'node_modules', 'package'), {
      recursive: true,
      withFileTypes: true,
    })
    expect(left.filter((entry) => entry.isFile()).map(({ name }) => name)).to.have.members(
      kept.map((name) => name.split('/').at(-1)),
    )
  })
})
