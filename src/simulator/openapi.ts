import { Type, type TSchema } from 'typebox'

import {
  WireCard,
  WireCardList,
  WireForm,
  WireFormList,
  WireRecordPage,
} from '../connectors/formulaires/wire.ts'

/** Where a request for records may begin and how much it may ask for. */
const WHOLE_PAGE = 1000
const WHOLE_LIST = 100

/**
 * The interface of the forms application as OpenAPI 3.1: what the connector requests, what the
 * simulator answers, and what a real application must offer to be connected.
 */
export function describeFormulaires() {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Formulaires',
      version: '1.0.0',
      description: DESCRIPTION,
    },
    servers: [{ url: '{baseUrl}', variables: { baseUrl: { default: 'https://forms.example' } } }],
    security: [{ apiKey: [] }],
    paths: {
      '/api/v1/forms': { get: listing('forms', 'FormList') },
      '/api/v1/forms/{uuid}': { get: item('form', 'Form') },
      '/api/v1/forms/{uuid}/responses': { get: records('responses of a form', 'Form') },
      '/api/v1/cards': { get: listing('cards', 'CardList') },
      '/api/v1/cards/{uuid}': { get: item('card', 'Card') },
      '/api/v1/cards/{uuid}/submissions': { get: records('submissions of a card', 'Card') },
    },
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } },
      schemas: {
        Form: WireForm,
        FormList: WireFormList,
        Card: WireCard,
        CardList: WireCardList,
        RecordPage: WireRecordPage,
        Refusal: Type.Object({ status: Type.Integer(), message: Type.String() }),
      },
      responses: {
        BadRequest: refusal('A parameter is not valid'),
        Unauthorized: refusal('The key is missing, unknown or revoked'),
        NotFound: refusal('There is no such form or card'),
        TooManyRequests: {
          ...refusal('Too many requests'),
          headers: {
            'Retry-After': {
              description: 'Seconds to wait, or an HTTP date',
              schema: Type.String(),
            },
          },
        },
      },
    },
  }
}

const DESCRIPTION = `The interface that a connection of type FORMULAIRES speaks.

Records of a form (its responses) or card (its submissions) are read page by page: ask without a
cursor, then with the \`nextCursor\` of each answer until it is null. A cursor is opaque, stays valid
while records arrive, and never comes twice in one walk. Records are in the order in which they were
submitted; new ones come last. \`total\` counts the records at the moment of the answer. A reader
refuses a walk whose number of records lies outside the totals that it was told.

\`columns\` are the questions as they stand now. \`values\` may hold keys of questions that were
removed since, and leaves out questions that were not answered. An attached file is
\`[{ id, name, url? }]\`, a multiple choice is an array of text, other values may be nested.

Answers are JSON in UTF-8, plain or compressed with gzip, deflate or br. A reader takes none of more
than 32 MiB, 500,000 values or 200 levels, and follows redirects only inside the same origin.`

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const response = (name: string) => ({ $ref: `#/components/responses/${name}` })
const inJson = (schema: object) => ({ 'application/json': { schema } })

function refusal(description: string) {
  return { description, content: inJson(ref('Refusal')) }
}

function answers(description: string, schema: string) {
  return {
    '200': { description, content: inJson(ref(schema)) },
    '401': response('Unauthorized'),
    '429': response('TooManyRequests'),
  }
}

function query(name: string, schema: TSchema, description: string) {
  return { name, in: 'query', required: false, description, schema }
}

const uuid = { name: 'uuid', in: 'path', required: true, schema: Type.String({ format: 'uuid' }) }

function listing(things: string, schema: string) {
  return {
    operationId: `list-${things}`,
    summary: `Lists ${things}`,
    parameters: [
      query('search', Type.String(), 'Part of the title; case and accents do not matter'),
      query('page', Type.Integer({ minimum: 1, default: 1 }), 'Page, counted from 1'),
      query(
        'limit',
        Type.Integer({ minimum: 1, maximum: WHOLE_LIST, default: 20 }),
        'Items of a page',
      ),
    ],
    responses: { ...answers(`A page of ${things}`, schema), '400': response('BadRequest') },
  }
}

function item(thing: string, schema: string) {
  return {
    operationId: `describe-${thing}`,
    summary: `Describes one ${thing}`,
    parameters: [uuid],
    responses: { ...answers(`The ${thing}`, schema), '404': response('NotFound') },
  }
}

function records(things: string, of: string) {
  return {
    operationId: `read-records-of-${of.toLowerCase()}`,
    summary: `Reads the ${things}`,
    parameters: [
      uuid,
      query('cursor', Type.String(), '`nextCursor` of the answer before; absent: from the start'),
      query(
        'limit',
        Type.Integer({ minimum: 1, maximum: WHOLE_PAGE, default: 100 }),
        'Records of a page',
      ),
    ],
    responses: {
      ...answers(`A page of the ${things}`, 'RecordPage'),
      '400': response('BadRequest'),
      '404': response('NotFound'),
    },
  }
}
