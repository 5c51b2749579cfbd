import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { expect } from 'chai'

import { temporaryFolder } from '../../benchmarks/support/temporary-folder.ts'
import { useDatabase } from '../support/database.ts'
import { TEST_ENCRYPTION_KEYS } from '../support/factories.ts'
import { startServer } from '../support/server-process.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const KEEP = join(ROOT, 'src', 'start', 'keep-compiled.js')
const PRINT_FOLDER = 'String(require("node:module").getCompileCacheDir())'

/** Where a process keeps what it compiles. */
const folderOf = (args: readonly string[] = [], settings: NodeJS.ProcessEnv = {}) =>
  promisify(execFile)(process.execPath, [...args, '--import', KEEP, '--print', PRINT_FOLDER], {
    env: { PATH: process.env['PATH'], ...settings },
  })

/** Fewer than the files of the service itself. */
const MANY = 500

describe('what a process compiles', () => {
  const database = useDatabase()

  it('is kept beside the product', async () => {
    const { stdout, stderr } = await folderOf()
    expect(stdout.startsWith(join(ROOT, '.compile-cache')), stdout).to.equal(true)
    expect(stderr).to.equal('')
  })

  it('is kept where Node is told to keep it', async () => {
    await using folder = await temporaryFolder('compiled')
    const { stdout } = await folderOf([], { NODE_COMPILE_CACHE: folder.path })
    expect(stdout.startsWith(folder.path), stdout).to.equal(true)
  })

  it('is kept by a service that is killed afterwards', async () => {
    await using folder = await temporaryFolder('compiled')
    await using data = await temporaryFolder('data')
    const server = await startServer({
      DATABASE_URL: database.url,
      DATA_DIR: data.path,
      AUTH_SECRET: 'a-secret-that-only-tests-know-of-0123456789',
      ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
      NODE_COMPILE_CACHE: folder.path,
    })
    await server.kill()
    expect(await readdir(folder.path, { recursive: true })).to.have.length.above(MANY)
  })

  it('is silently not kept where the product may not write', async () => {
    const outcome = await folderOf(['--permission', '--allow-fs-read=*'])
    expect(outcome).to.deep.equal({ stdout: 'undefined\n', stderr: '' })
  })
})
