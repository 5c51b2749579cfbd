import { readFileSync } from 'node:fs'

import { Validator } from '@seriousme/openapi-schema-validator'
import { expect } from 'chai'

import { openApiDocument } from '../../../src/http/openapi/document.ts'
import { operationId } from '../../../src/http/openapi/write-openapi.ts'
import { allRoutes } from '../../../src/http/routes/index.ts'
import { serviceVersion } from '../../../src/start/version.ts'
import { type ExampleDocument, exampleFaults } from '../../support/openapi-examples.ts'

const routes = allRoutes(serviceVersion())
const document = openApiDocument(routes, serviceVersion())
const committed = JSON.parse(
  readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
) as ExampleDocument

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document))
    expect(result.errors ?? []).to.deep.equal([])
    expect(result.valid).to.equal(true)
  })

  it('is the one that is committed', () => {
    expect(document).to.deep.equal(committed)
  })

  it('names every operation once, and tells what it is for', () => {
    const ids = routes.map(({ spec }) => operationId(spec))
    expect(ids).to.have.length(new Set(ids).size)
    for (const { spec } of routes) expect(spec.summary, spec.path).to.have.length.above(5)
  })

  it('says of every operation that too many headers are refused', () => {
    for (const [path, operations] of Object.entries(committed.paths)) {
      for (const [method, { responses }] of Object.entries(operations)) {
        expect(responses, `${method} ${path}`).to.have.property('431')
      }
    }
  })

  it('describes each tag', () => {
    for (const tag of document['tags'] as { description?: string }[]) {
      expect(tag).to.have.property('description').that.is.a('string')
    }
  })

  it('shows every body, answer, refusal and unobvious parameter by an example that fits', () => {
    expect(exampleFaults(committed)).to.deep.equal([])
  })

  it('shows the job of every long operation, and where it is', () => {
    const long = routes.filter(({ spec }) => spec.longRunning)
    expect(long).to.have.length.above(4)
    for (const { spec } of long) {
      const path = spec.path.replaceAll(/:(\w+)/g, '{$1}')
      const accepted = committed.paths[path]![spec.method]!.responses['202']!
      expect(accepted).to.have.property('headers').with.property('Location')
      expect(accepted).to.have.nested.property(
        'content.application/json.examples.queued.$ref',
        `#/components/examples/Job.queued.${spec.longRunning!}`,
      )
    }
  })
})

describe('the check of examples', () => {
  const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
  const good = { schema, example: { name: 'Ventes' } }
  const oneOperation = (
    operation: Partial<ExampleDocument['paths'][string][string]>,
    components: ExampleDocument['components'] = {},
  ): ExampleDocument => ({
    paths: { '/folders': { post: { responses: {}, ...operation } } },
    components,
  })

  const CASES: readonly (readonly [what: string, document: ExampleDocument, fault: string])[] = [
    [
      'a body that does not fit',
      oneOperation({
        requestBody: { content: { 'application/json': { schema, example: { name: 7 } } } },
      }),
      'POST /folders, body application/json: data/name must be string',
    ],
    [
      'a body without an example',
      oneOperation({ requestBody: { content: { 'application/json': { schema } } } }),
      'POST /folders, body application/json has no example',
    ],
    [
      'a field of a form without an example',
      oneOperation({ requestBody: { content: { 'multipart/form-data': good } } }),
      'POST /folders, body multipart/form-data, field name has no example',
    ],
    [
      'an answer without an example',
      oneOperation({ responses: { 201: { content: { 'application/json': { schema } } } } }),
      'POST /folders, 201 application/json has no example',
    ],
    [
      'a named example that does not fit a named schema, in a named answer',
      oneOperation(
        { responses: { 201: { $ref: '#/components/responses/Made' } } },
        {
          schemas: { Folder: schema },
          examples: { root: { value: {} } },
          responses: {
            Made: {
              content: {
                'application/json': {
                  schema: { $ref: '#/components/schemas/Folder' },
                  examples: { root: { $ref: '#/components/examples/root' } },
                },
              },
            },
          },
        },
      ),
      "POST /folders, 201 application/json: data must have required property 'name'",
    ],
    [
      'a refusal that shows another status',
      oneOperation({
        responses: {
          404: {
            content: { 'application/problem+json': { schema: {}, example: { status: 409 } } },
          },
        },
      }),
      'POST /folders, 404 application/problem+json shows 409',
    ],
    [
      'a parameter that does not fit',
      oneOperation({
        parameters: [{ name: 'uuid', schema: { type: 'string', format: 'uuid', examples: ['7'] } }],
      }),
      'POST /folders, parameter uuid: data must match format "uuid"',
    ],
    [
      'a parameter without an example',
      oneOperation({ parameters: [{ name: 'sort', schema: { type: 'string' } }] }),
      'POST /folders, parameter sort has no example',
    ],
    [
      'an example inside a schema that does not fit',
      oneOperation(
        {},
        { schemas: { Folder: { properties: { size: { type: 'integer', examples: ['7'] } } } } },
      ),
      'schema Folder/properties/size: data must be integer',
    ],
    [
      'an example that nothing shows',
      oneOperation({}, { examples: { root: { value: {} } } }),
      'Nothing shows the example root',
    ],
  ]
  for (const [what, wrong, fault] of CASES) {
    it(`finds ${what}`, () => expect(exampleFaults(wrong)).to.deep.equal([fault]))
  }

  it('accepts an example that is right', () => {
    const right = oneOperation({
      parameters: [{ name: 'page', schema: { type: 'integer', default: 1 } }],
      requestBody: { content: { 'application/json': good } },
      responses: { 201: { content: { 'application/json': good } } },
    })
    expect(exampleFaults(right)).to.deep.equal([])
  })
})
