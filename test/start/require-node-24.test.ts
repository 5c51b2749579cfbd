import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'

import { expect } from 'chai'

const CHECK = resolve(import.meta.dirname, '../../src/start/require-node-24.js')

/** Runs a script behind the check, in a process that calls itself this version of Node. */
function startOn(version: string) {
  const pretend = [
    `Object.defineProperty(process, 'version', { value: 'v${version}' })`,
    `Object.defineProperty(process.versions, 'node', { value: '${version}' })`,
  ].join(';')
  const imports = [`data:text/javascript,${encodeURIComponent(pretend)}`, CHECK]
  const options = imports.flatMap((module) => ['--import', module])
  return promisify(execFile)(process.execPath, [...options, '--print', '"begun"'])
}

describe('the check of the Node version', () => {
  for (const version of ['18.20.4', '20.20.2', '22.19.0', '23.11.1']) {
    it(`stops the start on Node ${version} and says which one is needed`, async () => {
      const error = await startOn(version).catch((failure: unknown) => failure)
      expect(error).to.include({ code: 1, stdout: '' })
      expect((error as { stderr: string }).stderr).to.match(
        new RegExp(`^Node 24 or newer is needed and this is v${version.replaceAll('.', '\\.')}\\.`),
      )
    })
  }

  for (const version of ['24.0.0', '25.1.0']) {
    it(`lets the start go on with Node ${version}`, async () => {
      expect(await startOn(version)).to.deep.equal({ stdout: 'begun\n', stderr: '' })
    })
  }
})
