import { defineRoute } from '../../define-route.ts'
import { homeSchema, presentHome } from '../../presenters/present-home.ts'

export const showHome = defineRoute(
  {
    method: 'get',
    path: '/home',
    access: 'admin',
    tag: 'sources',
    summary: 'Show what needs a person, and what happened lately',
    description:
      'Of the own enterprise; of all of them for a super-admin. Ten of each kind at most.',
    responses: { 200: { description: 'What needs a person', schema: homeSchema } },
  },
  async ({ actor, signal }, { sources }) => presentHome(await sources.home(actor, signal)),
)
