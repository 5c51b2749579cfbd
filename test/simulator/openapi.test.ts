import { readFile } from 'node:fs/promises'

import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'

import { OUTBOUND_DEFAULTS } from '../../src/security/outbound/http.ts'
import { startFormulaires, type Formulaires } from '../../src/simulator/formulaires.ts'
import { formulairesYaml } from '../../src/simulator/formulaires-yaml.ts'
import { describeFormulaires } from '../../src/simulator/openapi.ts'
import { toYaml } from '../../src/simulator/yaml.ts'

const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

describe('published description of the forms application', () => {
  const document = plain(describeFormulaires())

  it('is the one in docs', async () => {
    const published = new URL('../../docs/formulaires.openapi.yaml', import.meta.url)
    expect(await readFile(published, 'utf8')).to.equal(formulairesYaml())
  })

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(document)
    expect(errors ?? []).to.deep.equal([])
    expect(valid).to.equal(true)
  })

  it('names the bounds that answers are held to', () => {
    const { maxResponseBytes, maxValues, maxDepth } = OUTBOUND_DEFAULTS
    const values = maxValues.toLocaleString('en')
    expect(document.info.description.replaceAll('\n', ' ')).to.include(
      `more than ${maxResponseBytes / 1024 ** 2} MiB, ${values} values or ${maxDepth} levels`,
    )
  })

  it('is written as YAML in blocks, with empty things and odd keys', () => {
    const text = toYaml({ a: [1, { b: null, c: [] }], '/p/{x}': { d: {}, e: 'yes: no\n' } })
    expect(text).to.equal(
      '\na:\n  - 1\n  - b: null\n    c: []\n"/p/{x}":\n  d: {}\n  e: "yes: no\\n"',
    )
  })
})

describe('answers of the simulated forms application', () => {
  const { paths, components } = plain(describeFormulaires())
  const ajv = new Ajv2020({ strict: false })
  ajv.addSchema({ $id: 'formulaires', components })
  let simulator: Formulaires
  before(async () => {
    simulator = await startFormulaires({ forms: 7, cards: 4, responsesPerForm: 300 })
  })
  after(() => simulator.close())

  const expectDocumented = async (template: string, uuid = '', query = '', key?: string) => {
    const address = simulator.url + template.replace('{uuid}', uuid) + query
    const answer = await fetch(address, { headers: { 'x-api-key': key ?? simulator.apiKey } })
    const documented = paths[template].get.responses[answer.status]
    const shape = documented.$ref
      ? components.responses[documented.$ref.split('/').at(-1)!]
      : documented
    const { schema } = shape.content['application/json']
    const body: unknown = await answer.json()
    const check = ajv.compile({ $ref: `formulaires${schema.$ref}` })
    expect(check(body), `${address}: ${JSON.stringify(check.errors)}`).to.equal(true)
    return answer.status
  }

  for (const kind of ['forms', 'cards'] as const) {
    const records = kind === 'forms' ? 'responses' : 'submissions'

    it(`are as described for ${kind}`, async () => {
      expect(await expectDocumented(`/api/v1/${kind}`)).to.equal(200)
      for (const { uuid } of simulator[kind]) {
        expect(await expectDocumented(`/api/v1/${kind}/{uuid}`, uuid)).to.equal(200)
        const path = `/api/v1/${kind}/{uuid}/${records}`
        expect(await expectDocumented(path, uuid)).to.equal(200)
        expect(await expectDocumented(path, uuid, '?limit=1000')).to.equal(200)
      }
    })

    it(`are as described for what is refused about ${kind}`, async () => {
      const unknown = '00000000-0000-4000-8000-000000000000'
      const { uuid } = simulator[kind][0]!
      expect(await expectDocumented(`/api/v1/${kind}`, '', '?limit=101')).to.equal(400)
      expect(await expectDocumented(`/api/v1/${kind}`, '', '?page=0')).to.equal(400)
      expect(await expectDocumented(`/api/v1/${kind}`, '', '', 'wrong')).to.equal(401)
      expect(await expectDocumented(`/api/v1/${kind}/{uuid}`, unknown)).to.equal(404)
      const path = `/api/v1/${kind}/{uuid}/${records}`
      expect(await expectDocumented(path, unknown)).to.equal(404)
      expect(await expectDocumented(path, uuid, '?cursor=MTAuMQ')).to.equal(400)
      expect(await expectDocumented(path, uuid, '?limit=1001')).to.equal(400)
    })
  }
})
