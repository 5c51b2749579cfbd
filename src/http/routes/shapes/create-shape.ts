import {
  EnterpriseNotFoundException,
  SourceLimitExceededException,
  SourceNotFoundException,
} from '../../../errors/index.ts'
import { answerWith, defineRoute } from '../../define-route.ts'
import { madeShapeSchema, presentMadeShape } from '../../presenters/present-shape.ts'
import { newShape } from './shape-body.ts'

export const createShape = defineRoute(
  {
    method: 'post',
    path: '/shapes',
    access: 'admin',
    tag: 'shapes',
    summary: 'Make a shape that sources of an enterprise share',
    audit: 'shape.create',
    description:
      'What files look like: their columns with types, and the other headers that stand for them. ' +
      'From a list of columns, from what a source has, or from a Table Schema.',
    body: newShape,
    responses: { 201: { description: 'The shape', schema: madeShapeSchema } },
    problems: [EnterpriseNotFoundException, SourceNotFoundException, SourceLimitExceededException],
  },
  async (request, { shapes }) => {
    const answer = answerWith(request, presentMadeShape)
    return presentMadeShape(await shapes.create(request.actor, request.body, answer))
  },
)
