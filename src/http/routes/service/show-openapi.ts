import { Type } from 'typebox'

import { defineRoute, Reply, type Route } from '../../define-route.ts'

/**
 * It needs the document, which needs the routes, so it is created from the document and also
 * described in it.
 */
export const showOpenApi = (document: () => Promise<unknown>): Route =>
  defineRoute(
    {
      method: 'get',
      path: '/openapi.json',
      access: 'public',
      tag: 'service',
      summary: 'This document',
      responses: {
        200: {
          description: 'OpenAPI 3.1',
          schema: Type.Object({}, { additionalProperties: true }),
          example: { openapi: '3.1.1', info: { title: 'Administration service' }, paths: {} },
        },
      },
    },
    async ({ basePath }) => {
      const written = (await document()) as object
      const servers = [{ url: basePath === '' ? '/' : basePath }]
      return new Reply(200, { ...written, servers }, { 'content-language': 'en' })
    },
  )
