import { Type } from 'typebox'

import { PageTooLargeException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import {
  presentSourcePreview,
  sourcePreviewSchema,
} from '../../presenters/present-source-preview.ts'
import { strictObject } from '../../schemas.ts'
import { resourceOf } from './resource-of.ts'
import { resourceFields } from './source-body.ts'
import { RESOURCE_PROBLEMS } from './source-problems.ts'

export const previewResource = defineRoute(
  {
    method: 'get',
    path: '/sources/api-preview',
    access: 'admin',
    tag: 'sources',
    summary: 'Preview what a form or a card would become',
    query: strictObject({
      ...resourceFields,
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
    }),
    responses: {
      200: { description: 'The first rows', schema: sourcePreviewSchema, shows: ['form'] },
    },
    problems: [PageTooLargeException, ...RESOURCE_PROBLEMS],
  },
  async ({ actor, query, writeJson, signal }, { sources }) => {
    const { preview } = await sources.preview(actor, resourceOf(query, '/query'), {
      options: {},
      limit: query.limit,
      signal,
    })
    return presentSourcePreview(preview, writeJson)
  },
)
