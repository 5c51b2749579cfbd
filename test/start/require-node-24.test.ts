import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'

import { expect } from 'chai'

const ROOT = resolve(import.meta.dirname, '../..')
const CHECK = resolve(ROOT, 'src/start/require-node-24.js')

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

async function staticImports(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8')
  return [...text.matchAll(/^import '(.+)'$/gm)].map(([, path]) => resolve(dirname(file), path!))
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

  // All static imports are linked before the first of them runs: a name that an old Node lacks would end
  // the start with a stack before the check can say anything.
  for (const start of ['src/start.js', 'src/cli/start.js']) {
    it(`is reached whatever Node lacks that ${start} is started with`, async () => {
      const imported = await staticImports(resolve(ROOT, start))
      expect(imported).to.include(CHECK)
      for (const file of imported) {
        expect(await readFile(file, 'utf8'), file).not.to.match(
          /import \{[^}]*\} from 'node:module'/,
        )
      }
    })
  }

  for (const version of ['24.0.0', '25.1.0']) {
    it(`lets the start go on with Node ${version}`, async () => {
      expect(await startOn(version)).to.deep.equal({ stdout: 'begun\n', stderr: '' })
    })
  }
})
