import type { TestClient, TestResponse } from './client.ts'

/** The same client, every answer of which is shown to somebody first. */
export function watchedClient(
  client: TestClient,
  see: (answer: TestResponse, request: string) => Promise<void>,
): TestClient {
  const watch = async (request: string, answer: Promise<TestResponse>) => {
    const settled = await answer
    await see(settled, request)
    return settled
  }
  return {
    as: (user) => watchedClient(client.as(user), see),
    withHeaders: (headers) => watchedClient(client.withHeaders(headers), see),
    token: () => client.token(),
    get: (path) => watch(`GET ${path}`, client.get(path)),
    post: (path, body) => watch(`POST ${path}`, client.post(path, body)),
    patch: (path, body) => watch(`PATCH ${path}`, client.patch(path, body)),
    delete: (path, body) => watch(`DELETE ${path}`, client.delete(path, body)),
    request: (method, path, body) => watch(`${method} ${path}`, client.request(method, path, body)),
  }
}
