import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'

import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'

interface Schema {
  readonly [keyword: string]: unknown
}

interface TextSchema extends Schema {
  readonly pattern?: string
  readonly format?: string
}

const document = JSON.parse(
  readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
) as {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters?: readonly { name: string; in: string; schema: Schema }[]
        requestBody?: { content: Record<string, { schema: Schema }> }
      }
    >
  >
}

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(document, 'document')

function bodyCheck(method: string, path: string): (body: unknown) => boolean {
  const pointer = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema']
    .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
    .map(encodeURIComponent)
    .join('/')
  const check = ajv.compile({ $ref: `document#/${pointer}` })
  return (body) => check(body)
}

const key = 'frm_demo_2e5886b'
const baseUrl = 'https://forms.example.com'
const connection = { name: 'Forms', baseUrl, apiKey: key }
const resource = { source: 'api', name: 'Forms', tableName: 'forms', connectionUuid: randomUUID() }
const form = { apiResourceType: 'form', formUuid: randomUUID() }

/** Bodies that are right, and bodies that are wrong. */
const BODIES: Readonly<
  Record<string, { readonly right: readonly object[]; readonly wrong: readonly object[] }>
> = {
  'post /connections': {
    right: [
      connection,
      { ...connection, name: ` ${'n'.repeat(255)} ` },
      { ...connection, name: '😀'.repeat(255) },
      { ...connection, baseUrl: ' HTTP://forms.example.com:8080/a@b/c ' },
      { ...connection, apiKey: ` ${key}\n` },
    ],
    wrong: [
      { ...connection, name: ' ' },
      { ...connection, name: 'a\0b' },
      { ...connection, name: 'n'.repeat(256) },
      { ...connection, baseUrl: '' },
      { ...connection, baseUrl: 'ftp://forms.example.com' },
      { ...connection, baseUrl: 'https://' },
      { ...connection, baseUrl: 'https://me@forms.example.com' },
      { ...connection, baseUrl: 'https://forms.example.com/?a' },
      { ...connection, baseUrl: 'https://forms.example.com/#a' },
      { ...connection, baseUrl: 'https://forms.example.com/a b' },
      { ...connection, apiKey: '' },
      { ...connection, apiKey: 'two words' },
      { ...connection, apiKey: 'clé' },
      { ...connection, apiKey: 'k'.repeat(4097) },
      { ...connection, enterpriseId: 0 },
    ],
  },
  'patch /connections/{uuid}': {
    right: [{ name: 'New' }, { name: 'New', apiKey: '' }, { name: ' ', apiKey: key }],
    wrong: [
      {},
      { name: ' ' },
      { apiKey: '' },
      { name: '', apiKey: ' ' },
      { name: 'a\0' },
      { name: 'n'.repeat(256) },
      { name: 'New', apiKey: 'two words' },
    ],
  },
  'post /folders': {
    right: [
      { name: 'Root', enterpriseId: 1 },
      { name: 'Root', enterpriseId: 1, clientId: 1 },
      { name: 'Sub', parentUuid: randomUUID() },
    ],
    wrong: [
      { name: 'None' },
      { name: 'Both', enterpriseId: 1, parentUuid: randomUUID() },
      { name: 'Client', parentUuid: randomUUID(), clientId: 1 },
      { name: '\0', enterpriseId: 1 },
    ],
  },
  'post /sources': {
    right: [
      { ...resource, ...form },
      { ...resource, apiResourceType: 'card', cardUuid: randomUUID(), cardTitle: 'Card' },
    ],
    wrong: [
      { ...resource, apiResourceType: 'form' },
      { ...resource, apiResourceType: 'card', formUuid: randomUUID() },
      { ...resource, ...form, cardUuid: randomUUID() },
      { ...resource, ...form, cardTitle: 'Card' },
      { ...resource, ...form, formTitle: 'a\0b' },
      { ...resource, ...form, tableName: 'Not a name' },
      { ...resource, ...form, options: { nullValues: ['a\0b'] } },
    ],
  },
  'delete /folders/{uuid}/root': {
    right: [{ folderName: '' }, { folderName: 'Any' }],
    wrong: [{}, { folderName: 'a\0' }, { folderName: 1 }],
  },
}

describe('the OpenAPI document is as strict as the service', () => {
  const app = useApp()
  let superAdmin: TestClient

  before(async () => {
    superAdmin = app.client.as(await app.build.user({ role: 'super-admin' }))
  })

  for (const [operation, { right, wrong }] of Object.entries(BODIES)) {
    it(`about the bodies of ${operation}`, async () => {
      const [method = '', path = ''] = operation.split(' ')
      const isRight = bodyCheck(method, path)
      const address = path.replace('{uuid}', randomUUID())
      for (const body of [...right, ...wrong]) {
        const said = JSON.stringify(body)
        const { status } = await superAdmin.request(method.toUpperCase(), address, {
          content: said,
          type: 'application/json',
        })
        // What was refused for what it is: nothing else is asked for a wrong body.
        const isTaken = status !== 400 || isAboutTheWorld(body)
        expect([isRight(body), isTaken], said).to.deep.equal(
          right.includes(body) ? [true, true] : [false, false],
        )
      }
    })
  }

  /** A super-admin of no enterprise must name one: that depends on who asks, and no schema says so. */
  const isAboutTheWorld = (body: object) => 'apiKey' in body && isRightConnection(body)
  const isRightConnection = (body: object) =>
    'baseUrl' in body && bodyCheck('post', '/connections')(body)

  it('about keys of idempotency', async () => {
    const { parameters = [] } = document.paths['/workflows']!['post']!
    const { schema } = parameters.find(({ name }) => name === 'Idempotency-Key')!
    const isRight = ajv.compile(schema)
    for (const [given, expected] of [
      ['', false],
      ['a', true],
      ['~'.repeat(255), true],
      ['a'.repeat(256), false],
      ['two words', false],
      ['é', false],
    ] as const) {
      const { body } = await superAdmin
        .withHeaders({ 'idempotency-key': given })
        .post('/workflows', { name: 'Idempotent', enterpriseId: 2 ** 31 - 1 })
      const isTaken = body.code === 'EnterpriseNotFoundException'
      expect([isRight(given), isTaken], given).to.deep.equal([expected, expected])
    }
  })

  it('about the length of pages: at most 100, of data rows 1000', () => {
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const { parameters = [] } of Object.values(operations)) {
        const limit = parameters.find(({ name }) => name === 'limit')
        const maximum = path === '/sources/{uuid}/data' ? 1000 : 100
        if (limit) expect(limit.schema, path).to.include({ minimum: 1, maximum })
      }
    }
  })

  it('about U+0000, which no text of a JSON body may contain', () => {
    const seen = new Set<string>()
    const open: string[] = []
    const look = (schema: unknown, at: string): void => {
      if (schema === null || typeof schema !== 'object') return
      if (Array.isArray(schema)) {
        for (const [index, member] of schema.entries()) look(member, `${at}/${index}`)
        return
      }
      const { $ref, type, pattern = '', format, enum: values, ...members } = schema as TextSchema
      if (typeof $ref === 'string') {
        if (seen.has($ref)) return
        seen.add($ref)
        const name = $ref.split('/').at(-1)!
        const { schemas } = (document as unknown as { components: { schemas: Schema } }).components
        look(schemas[name], name)
        return
      }
      const isText = type === 'string' && values === undefined && !('const' in members)
      if (isText && !['uuid', 'email', 'date-time'].includes(format ?? '')) {
        const takesNul = new RegExp(pattern, 'u').test('a\0b')
        if (takesNul) open.push(at)
      }
      for (const [name, member] of Object.entries(members)) {
        if (name !== 'examples' && name !== 'default') look(member, `${at}/${name}`)
      }
    }
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, { requestBody }] of Object.entries(operations)) {
        look(requestBody?.content['application/json']?.schema, `${method} ${path}`)
      }
    }
    expect(open).to.deep.equal([])
  })
})
