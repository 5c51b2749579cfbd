import { writeFile } from 'node:fs/promises'

import { expect } from 'chai'

import { toProblem } from '../../src/errors/to-problem.ts'
import { failure } from '../support/failure.ts'

describe('toProblem', () => {
  it('says of a part that is not there when it is loaded that the files were replaced', async () => {
    const gone = '../../src/no-such-part.ts'
    const problem = toProblem(await failure(import(gone)))
    expect(problem.status).to.equal(503)
    expect(problem.message).to.include('files of the service were replaced')
    expect(problem.extras.headers).to.deep.equal({ 'retry-after': '5' })
  })

  it('says that the disk for temporary files is full', async () => {
    // Whatever is written to it fails as it does on a full disk.
    const problem = toProblem(await failure(writeFile('/dev/full', 'x')))
    expect(problem.status).to.equal(507)
    expect(problem.message).to.include('The disk for temporary files is full')
  })
})
