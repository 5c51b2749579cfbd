import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { expect } from 'chai'

import { useFolder } from './support/folder.ts'

const MOCHA = resolve(import.meta.dirname, '../node_modules/mocha/bin/mocha.js')
const REPORTER = resolve(import.meta.dirname, 'support/reporter.ts')

describe('the reporter of the tests', () => {
  const folder = useFolder('reporter', 'for each')

  /** What a run of these files prints, without what differs from run to run. */
  async function report(files: Readonly<Record<string, string>>, ...more: readonly string[]) {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text)
    const options = ['--no-config', '--no-color', '--reporter', REPORTER, ...more]
    const printed = await new Promise<string>((done) => {
      const child = execFile(
        process.execPath,
        [MOCHA, ...options, ...Object.keys(files)],
        { cwd: folder.path, maxBuffer: Infinity },
        (_error, stdout) => done(stdout),
      )
      child.stdin?.end()
    })
    return printed.replaceAll(/\d+\.\d s\b/g, 'N s').replaceAll(/\(\d+ms\)/g, '(N ms)')
  }

  const PASSES = `describe('one', () => { it('a', () => {}); it('b', () => {}) })
    describe('more', () => { it('c', () => {}) })`

  it('names each file, how far the run is, and what became of the file', async () => {
    const printed = await report({
      '1.cjs': PASSES,
      '2.cjs': `describe('two', () => { it('d', () => {}) })`,
    })
    expect(printed).to.include(
      '[1/2] 1.cjs ... 3 passed, N s\n[2/2] 2.cjs . 1 passed, N s\n\n  4 passing (N ms)',
    )
  })

  it('tells a failure at once, and in full at the end', async () => {
    const printed = await report({
      '1.cjs': `describe('one', () => { it('breaks', () => { throw new Error('so\\nlong') }) })`,
      '2.cjs': PASSES,
    })
    expect(printed).to.include(
      '1.cjs \n  FAILED one breaks\n    so\n   0 passed, 1 failed, N s\n[2/2] 2.cjs ...',
    )
    expect(printed.split('1 failing')[1]).to.include('1) one\n       breaks:\n     Error: so\nlong')
  })

  it('ends the line of a file of which only some tests were chosen', async () => {
    const printed = await report({ '1.cjs': PASSES, '2.cjs': PASSES }, '--grep', 'one')
    expect(printed).to.include('1.cjs .. 2 passed, N s\n[2/2] 2.cjs .. 2 passed, N s\n')
  })

  it('gives a line of its own to each of the files that run side by side', async () => {
    const printed = await report({ '1.cjs': PASSES, '2.cjs': PASSES }, '--parallel', '--jobs', '2')
    expect(printed).to.match(/^\[1\/2\] [12]\.cjs \.{3} 3 passed, N s$/m)
    expect(printed).to.match(/^\[2\/2\] [12]\.cjs \.{3} 3 passed, N s$/m)
  })

  it('writes such a line in one go, whatever the lanes themselves write meanwhile', async () => {
    const files = `const { existsSync, writeFileSync } = require('node:fs')`
    const printed = await report(
      {
        '1.cjs': `${files}
          const { setTimeout } = require('node:timers/promises')
          describe('many', () => {
            before(async () => { while (!existsSync('noise')) await setTimeout(5) })
            for (let n = 0; n < 2000; n++) it('is one ' + n, () => {})
          })`,
        '2.cjs': `${files}
          const say = () => new Promise((done) => process.stdout.write('noise\\n', done))
          describe('noise', () => { it('goes on until another has had its turn', async () => {
            writeFileSync('noise', '')
            while (!existsSync('over')) await say()
          }) })`,
        // While it runs the first is reported.
        '3.cjs': PASSES,
        '4.cjs': `${files}
          describe('over', () => { it('is', () => writeFileSync('over', '')) })`,
      },
      '--parallel',
      '--jobs',
      '2',
      '--timeout',
      '0',
    )
    expect(printed).to.match(/^\[\d\/4\] 1\.cjs \.{2000} 2000 passed, N s$/m)
  })
})
