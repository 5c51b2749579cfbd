import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'

import { expect } from 'chai'

import { MEBIBYTE } from './support/mebibyte.ts'

const GROW_AND_IDLE = resolve(import.meta.dirname, 'support/grow-and-idle.ts')

describe('the memory of a service', () => {
  it('goes back to the system when the work is over', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [GROW_AND_IDLE])
    const { most, idle } = JSON.parse(stdout) as { most: number; idle: number }
    expect(most).to.be.above(120 * MEBIBYTE)
    expect(idle).to.be.below(most - 60 * MEBIBYTE)
  })
})
