import type { Route } from '../define-route.ts'
import { openApiDocument } from '../openapi/document.ts'
import { login } from './auth/login.ts'
import { showProfile } from './auth/show-profile.ts'
import { browseCards } from './connections/browse-cards.ts'
import { browseForms } from './connections/browse-forms.ts'
import { changeConnection } from './connections/change-connection.ts'
import { createConnection } from './connections/create-connection.ts'
import { deleteConnection } from './connections/delete-connection.ts'
import { listConnections } from './connections/list-connections.ts'
import { showConnection } from './connections/show-connection.ts'
import { cancelJob } from './jobs/cancel-job.ts'
import { listJobs } from './jobs/list-jobs.ts'
import { showJob } from './jobs/show-job.ts'
import { streamJobEvents } from './jobs/stream-job-events.ts'
import { docsAsset, docsPage } from './service/docs.ts'
import { live, ready } from './service/health.ts'
import { metrics } from './service/metrics.ts'
import { showOpenApi } from './service/show-openapi.ts'

/** Every route of the service, in the order of the document. */
export function allRoutes(version: string): readonly Route[] {
  const routes: Route[] = [
    login,
    showProfile,
    createConnection,
    listConnections,
    showConnection,
    browseForms,
    browseCards,
    changeConnection,
    deleteConnection,
    listJobs,
    showJob,
    streamJobEvents,
    cancelJob,
    live,
    ready,
    metrics,
    docsPage,
    docsAsset,
    showOpenApi(() => document),
  ]
  const document = openApiDocument(routes, version)
  return routes
}
