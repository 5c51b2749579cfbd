import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

import { expect } from 'chai'

const ROOT = resolve(import.meta.dirname, '../..')
const LINK = /\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)/g
/** Pictures of RESULTS.md are links, too. */
const PAGES = globSync('{*.md,docs/**/*.md,test/trust/*.md,pipelines/*.md,benchmarks/*.md}', {
  cwd: ROOT,
})

describe('the guides', () => {
  it('link to files that exist', () => {
    const lost = PAGES.flatMap((page) =>
      [...readFileSync(join(ROOT, page), 'utf8').matchAll(LINK)]
        .filter(([, path]) => !existsSync(resolve(ROOT, dirname(page), path!)))
        .map(([, path]) => `${page}: ${path}`),
    )
    expect(lost).to.deep.equal([])
  })

  it('name proofs that exist', () => {
    const page = readFileSync(join(ROOT, 'test/trust/README.md'), 'utf8')
    const proofs = [...page.matchAll(/\| `(test[^`]+)` \| (.+) \|$/gm)]
    expect(proofs).to.have.length.above(10)
    const lost = proofs.filter(
      ([, file, title]) => !readFileSync(join(ROOT, file!), 'utf8').includes(title!),
    )
    expect(lost.map(([row]) => row)).to.deep.equal([])
  })

  it('list every decision', () => {
    const index = readFileSync(join(ROOT, 'docs/adr/README.md'), 'utf8')
    const listed = [...index.matchAll(/\((\d{4}-[\w-]+\.md)\)/g)].map(([, file]) => file)
    expect(listed).to.deep.equal(globSync('[0-9]*.md', { cwd: join(ROOT, 'docs/adr') }).toSorted())
  })
})
