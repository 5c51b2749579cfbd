import { Type } from 'typebox'

import { TEMPLATE_FORMATS } from '../../../domain/shapes/template.ts'
import { defineRoute } from '../../define-route.ts'
import { strictObject } from '../../schemas.ts'
import { answerTemplate, TEMPLATE_RESPONSE } from '../shapes/show-template.ts'

export const showDeliveryTemplate = defineRoute(
  {
    method: 'get',
    path: '/deliveries/template',
    access: 'holder',
    tag: 'deliveries',
    summary: 'Download a file to fill in',
    query: strictObject({ format: Type.Enum(TEMPLATE_FORMATS, { default: 'xlsx' }) }),
    responses: { 200: TEMPLATE_RESPONSE },
  },
  async (request, { deliveries }) => {
    const { holder, query } = request
    const shape = await deliveries.shape(holder)
    return answerTemplate({ ...shape, name: holder.collection }, query.format, request)
  },
)
