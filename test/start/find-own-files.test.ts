import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

import { expect } from 'chai'

import { CLI } from '../support/cli.ts'

/** Says on the third channel what is left to Node to find: a hook that was set earlier is asked later. */
const ANNOUNCE = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs'
  import { registerHooks } from 'node:module'
  registerHooks({
    resolve(specifier, context, nextResolve) {
      writeSync(3, specifier + '\\n')
      return nextResolve(specifier, context)
    },
  })`)}`

describe('a process of the product', () => {
  it('finds its own TypeScript and .mjs files of packages without asking the disk, and leaves the rest to Node', async () => {
    const child = spawn(
      process.execPath,
      ['--import', ANNOUNCE, CLI, 'token', '--email', 'a@b.test'],
      {
        // No address at all, so that it ends with that.
        env: { PATH: process.env['PATH'], DATABASE_URL: 'nowhere' },
        stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      },
    )
    const left = (await text(child.stdio[3] as NodeJS.ReadableStream)).split('\n')
    expect(left).to.include.members(['commander', './lib/command.js', 'node:stream'])
    expect(left.filter((specifier) => /^\..*\.(?:ts|mjs)$/.test(specifier))).to.deep.equal([])
  })
})
