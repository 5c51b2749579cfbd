import { expect } from 'chai'

import type { Actor } from '../../src/domain/actor.ts'
import type { TestApp } from './app.ts'
import type { TestClient } from './client.ts'
import { formOf } from './uploads.ts'

/** Where forms are: the simulator, or a server that serves given ones. */
interface FormsApplication {
  readonly url: string
  readonly apiKey: string
}

/** An admin with a workflow, and a connection to a forms application. */
export interface WorkflowWorld {
  readonly user: Actor
  readonly as: TestClient
  readonly connectionUuid: string
  readonly uuid: string
  readonly path: string
  /** What the API shows of it now. */
  show(): Promise<unknown>
  upload(filename: string, bytes: string | Buffer): Promise<string>
  api(formUuid: string): Record<string, string>
  configure(config: Record<string, unknown>): Promise<void>
}

export async function buildWorkflowWorld(
  app: TestApp,
  forms: FormsApplication,
  given: { readonly user?: Actor; readonly apiKey?: string; readonly status?: 'ERROR' } = {},
): Promise<WorkflowWorld> {
  const user = given.user ?? (await app.build.user({ role: 'admin' }))
  const as = app.client.as(user)
  const enterprise = user.enterprise ?? (await app.build.enterprise())
  const { uuid: connectionUuid } = await app.build.connection({
    enterprise,
    baseUrl: forms.url,
    apiKey: given.apiKey ?? forms.apiKey,
    ...(given.status && { status: given.status }),
  })
  const created = await as.post('/workflows', {
    name: 'Reprise',
    ...(user.role === 'super-admin' && { enterpriseId: enterprise.id }),
  })
  expect(created.status).to.equal(201)
  const uuid = created.body.uuid as string
  const path = `/workflows/${uuid}`
  return {
    user,
    as,
    connectionUuid,
    uuid,
    path,
    show: async () => (await as.get(path)).body,
    async upload(filename, bytes) {
      const answer = await as.request('POST', '/documents', formOf(filename, bytes))
      expect(answer.status).to.equal(201)
      return answer.body.uuid as string
    },
    api: (formUuid) => ({
      sourceType: 'api',
      connectionUuid,
      formUuid,
      formTitle: 'Un formulaire',
    }),
    async configure(config) {
      const answer = await as.post(`${path}/source-config`, config)
      expect(answer.status, answer.text).to.equal(200)
    },
  }
}
