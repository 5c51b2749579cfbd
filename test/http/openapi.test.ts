import { readFileSync } from 'node:fs'

import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'

import { openApiDocument } from '../../src/http/openapi/document.ts'
import { operationId } from '../../src/http/openapi/write-openapi.ts'
import { allRoutes } from '../../src/http/routes/index.ts'
import { serviceVersion } from '../../src/version.ts'

const routes = allRoutes(serviceVersion())
const document = openApiDocument(routes, serviceVersion())

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document))
    expect(result.errors ?? []).to.deep.equal([])
    expect(result.valid).to.equal(true)
  })

  it('is the one that is committed', () => {
    const committed: unknown = JSON.parse(
      readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
    )
    expect(document).to.deep.equal(committed)
  })

  it('names every operation once, and tells what it is for', () => {
    const ids = routes.map(({ spec }) => operationId(spec))
    expect(ids).to.have.length(new Set(ids).size)
    for (const { spec } of routes) expect(spec.summary, spec.path).to.have.length.above(5)
  })

  it('gives examples that fit their schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'api', ...document })
    const wrong: string[] = []
    const visit = (value: unknown, path: string): void => {
      if (value === null || typeof value !== 'object') return
      const { schema, example, examples } = value as {
        schema?: object
        example?: unknown
        examples?: unknown
      }
      const checked =
        example !== undefined && schema ? [example] : Array.isArray(examples) ? examples : []
      for (const one of checked) {
        const target = schema ?? value
        const validate = ajv.compile(
          JSON.parse(JSON.stringify(target).replaceAll('"#/', '"api#/')) as object,
        )
        if (!validate(one)) wrong.push(`${path}: ${ajv.errorsText(validate.errors)}`)
      }
      for (const [key, member] of Object.entries(value)) visit(member, `${path}/${key}`)
    }
    visit(document, '')
    expect(wrong).to.deep.equal([])
  })
})
