import { defineRoute } from '../../define-route.ts'
import { presentProfile, profileSchema } from '../../presenters/present-actor.ts'

export const showProfile = defineRoute(
  {
    method: 'get',
    path: '/auth/me',
    access: 'user',
    tag: 'auth',
    summary: 'Who am I',
    responses: { 200: { description: 'The profile of the caller', schema: profileSchema } },
  },
  async ({ actor }) => presentProfile(actor),
)
