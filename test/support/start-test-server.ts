import { clusterUrl, findCluster } from './cluster.ts'
import { dockerAnswers, startDockerPostgres } from './docker-postgres.ts'
import { startEmbeddedTestServer } from './embedded-test-server.ts'
import type { TestServer } from './test-server.ts'

/**
 * `TEST_CITUS_URL` or `TEST_DATABASE_URL`, else a container where a Docker engine answers, else the embedded server.
 * `TEST_BACKEND=docker|embedded` settles the choice.
 */
export async function startTestServer(): Promise<TestServer> {
  const cluster = clusterUrl()
  if (cluster !== undefined) return findCluster(cluster)
  const given = process.env['TEST_DATABASE_URL']
  if (given !== undefined) return { url: given, stop: async () => undefined }
  const backend = process.env['TEST_BACKEND']
  if (backend === 'docker') return startDockerPostgres()
  if (backend === 'embedded' || !(await dockerAnswers())) return startEmbeddedTestServer()
  // An engine that answers may still be unable to fetch an image.
  return startDockerPostgres().catch(startEmbeddedTestServer)
}
