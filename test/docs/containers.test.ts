import { existsSync, readFileSync } from 'node:fs'

import { expect } from 'chai'

import { readConfig } from '../../src/config/config.ts'
import { SETTINGS } from '../../src/config/settings.ts'
import { parseEncryptionKeys } from '../../src/security/encryption-keys.ts'

const ROOT = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')

/** Of the service in compose.yaml: `      NAME: value` lines below its `environment:`. */
function composeEnvironment(): Record<string, string> {
  const service = /^ {2}service:\n(?<body>(?: {4}.*\n|\n)+)/m.exec(read('compose.yaml'))
  const block = /^ {4}environment:\n(?<lines>(?: {6}\w+: .*\n)+)/m.exec(service!.groups!['body']!)
  return Object.fromEntries(
    block!
      .groups!['lines']!.trimEnd()
      .split('\n')
      .map((line): [string, string] => {
        const [name, value] = line.trim().split(/: (.*)/)
        return [name!, value!.replace(/^'(.*)'$/, '$1')]
      }),
  )
}

function imageEnvironment(): Record<string, string> {
  const line = /^ENV (.+)$/m.exec(read('Dockerfile'))![1]!
  return Object.fromEntries(line.split(' ').map((pair) => pair.split('=') as [string, string]))
}

describe('the files for Docker', () => {
  it('name settings that exist, with values that the service takes', () => {
    const { NODE_ENV, ...image } = imageEnvironment()
    const environment = { ...image, ...composeEnvironment() }
    expect(NODE_ENV).to.equal('production')
    expect(Object.keys(SETTINGS)).to.include.members(Object.keys(environment))
    const config = readConfig(environment)
    expect(config).to.include({ embedded: false })
    expect(config.storage.kind).to.equal('s3')
    expect(parseEncryptionKeys(environment['ENCRYPTION_KEYS']!)).to.have.lengthOf(1)
  })

  it('copy what is there, and what the builder gets to see', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, sources]) => sources!.split(' '),
    )
    expect(copied.toSorted()).to.include.members(allowed)
    for (const source of copied) {
      expect(existsSync(new URL(source, ROOT)), source).to.equal(true)
      expect(allowed).to.include(source)
    }
  })

  it('run the Node that the package asks for', () => {
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } }
    const major = /\d+/.exec(engines.node)![0]
    const images = [...read('Dockerfile').matchAll(/^FROM node:(\d+)/gm)].map(([, found]) => found)
    expect(new Set(images)).to.deep.equal(new Set([major]))
  })
})
