import type { Route } from '../define-route.ts'
import { changePassword } from './auth/change-password.ts'
import { createToken } from './auth/create-token.ts'
import { deleteToken } from './auth/delete-token.ts'
import { listTokens } from './auth/list-tokens.ts'
import { login } from './auth/login.ts'
import { showProfile } from './auth/show-profile.ts'
import { browseCards } from './connections/browse-cards.ts'
import { browseForms } from './connections/browse-forms.ts'
import { changeConnection } from './connections/change-connection.ts'
import { createConnection } from './connections/create-connection.ts'
import { deleteConnection } from './connections/delete-connection.ts'
import { listConnections } from './connections/list-connections.ts'
import { showConnection } from './connections/show-connection.ts'
import { testConnection } from './connections/test-connection.ts'
import { abortUpload } from './documents/abort-upload.ts'
import { beginUpload } from './documents/begin-upload.ts'
import { completeUpload } from './documents/complete-upload.ts'
import { deleteDocument } from './documents/delete-document.ts'
import { downloadDocument } from './documents/download-document.ts'
import { listDocuments } from './documents/list-documents.ts'
import { showDocument } from './documents/show-document.ts'
import { uploadDocument } from './documents/upload-document.ts'
import { deliverObject } from './storage/deliver-object.ts'
import { receivePart } from './storage/receive-part.ts'
import { consoleRoutes } from './console/show-console.ts'
import { addPeriods } from './collections/add-periods.ts'
import { addSenders } from './collections/add-senders.ts'
import { approveSlot } from './collections/approve-slot.ts'
import { returnSlot } from './collections/return-slot.ts'
import { abortDeliveryUpload } from './deliveries/abort-delivery-upload.ts'
import { beginDeliveryUpload } from './deliveries/begin-delivery-upload.ts'
import { completeDeliveryUpload } from './deliveries/complete-delivery-upload.ts'
import { checkDelivery } from './deliveries/check-delivery.ts'
import { sendDelivery } from './deliveries/send-delivery.ts'
import { showDeliveries } from './deliveries/show-deliveries.ts'
import { showDeliveryTemplate } from './deliveries/show-delivery-template.ts'
import { changeCollection } from './collections/change-collection.ts'
import { deleteCollection } from './collections/delete-collection.ts'
import { deleteSender } from './collections/delete-sender.ts'
import { remindSender } from './collections/remind-sender.ts'
import { renewLink } from './collections/renew-link.ts'
import { createCollection } from './collections/create-collection.ts'
import { listCollections } from './collections/list-collections.ts'
import { listSlots } from './collections/list-slots.ts'
import { showCollection } from './collections/show-collection.ts'
import { createFolder } from './folders/create-folder.ts'
import { deleteFolder } from './folders/delete-folder.ts'
import { deleteRootFolder } from './folders/delete-root-folder.ts'
import { listChildren } from './folders/list-children.ts'
import { listEnterprises } from './folders/list-enterprises.ts'
import { listFolderDocuments } from './folders/list-folder-documents.ts'
import { listFolders } from './folders/list-folders.ts'
import { moveFolder } from './folders/move-folder.ts'
import { renameFolder } from './folders/rename-folder.ts'
import { restoreFolder } from './folders/restore-folder.ts'
import { showBreadcrumb } from './folders/show-breadcrumb.ts'
import { showMyFolder } from './folders/show-my-folder.ts'
import { cancelJob } from './jobs/cancel-job.ts'
import { listJobs } from './jobs/list-jobs.ts'
import { showJob } from './jobs/show-job.ts'
import { streamJobEvents } from './jobs/stream-job-events.ts'
import { docsAsset, docsPage } from './service/docs.ts'
import { live, ready } from './service/health.ts'
import { metrics } from './service/metrics.ts'
import { showKeys } from './service/show-keys.ts'
import { showHome } from './service/show-home.ts'
import { showOpenApi } from './service/show-openapi.ts'
import { changeUser } from './people/change-user.ts'
import { createEnterprise } from './people/create-enterprise.ts'
import { createUser } from './people/create-user.ts'
import { listAllEnterprises } from './people/list-enterprises.ts'
import { listAudit } from './people/list-audit.ts'
import { listUsers } from './people/list-users.ts'
import { showUser } from './people/show-user.ts'
import { changeSource } from './sources/change-source.ts'
import { createSource } from './sources/create-source.ts'
import { deleteLoad } from './sources/delete-load.ts'
import { deleteSchedule } from './sources/delete-schedule.ts'
import { deleteSource } from './sources/delete-source.ts'
import { exportSourceData } from './sources/export-data.ts'
import { listLoads } from './sources/list-loads.ts'
import { listNextRuns } from './sources/list-next-runs.ts'
import { listRejects } from './sources/list-rejects.ts'
import { changeSourceShape } from './sources/change-source-shape.ts'
import { showSourceShape } from './sources/show-source-shape.ts'
import { listSources } from './sources/list-sources.ts'
import { checkFile } from './sources/check-file.ts'
import { checkForSource } from './sources/check-for-source.ts'
import { previewFile } from './sources/preview-file.ts'
import { previewForSource } from './sources/preview-for-source.ts'
import { previewResource } from './sources/preview-resource.ts'
import { publishLoad } from './sources/publish-load.ts'
import { readSourceChanges } from './sources/read-changes.ts'
import { profileSource } from './sources/profile-source.ts'
import { readSourceData } from './sources/read-data.ts'
import { reloadSource } from './sources/reload-source.ts'
import { rollBackSource } from './sources/roll-back-source.ts'
import { sendCorrections } from './sources/send-corrections.ts'
import { setSchedule } from './sources/set-schedule.ts'
import { showDataPackage } from './sources/show-datapackage.ts'
import { showLoad } from './sources/show-load.ts'
import { showSchedule } from './sources/show-schedule.ts'
import { showSource } from './sources/show-source.ts'
import { tryRules } from './sources/try-rules.ts'
import { summariseSource } from './sources/summarise-source.ts'
import { changeShape } from './shapes/change-shape.ts'
import { createShape } from './shapes/create-shape.ts'
import { deleteShape } from './shapes/delete-shape.ts'
import { listShapes } from './shapes/list-shapes.ts'
import { showShape } from './shapes/show-shape.ts'
import { showTemplate } from './shapes/show-template.ts'
import { showTableSchema } from './shapes/show-table-schema.ts'
import { configureSource } from './workflows/configure-source.ts'
import { createWorkflow } from './workflows/create-workflow.ts'
import { launchWorkflow } from './workflows/launch-workflow.ts'
import { listRuns } from './workflows/list-runs.ts'
import { listWorkflows } from './workflows/list-workflows.ts'
import { previewSource } from './workflows/preview-source.ts'
import { showRun } from './workflows/show-run.ts'
import { showWorkflow } from './workflows/show-workflow.ts'
import { later } from '../../../pipelines/index.ts'

const writers = later(() => import('../openapi/document.ts'))

/** The routes of a process that has no others, such as a worker. */
export const WORKER_ROUTES: readonly Route[] = [live, ready, metrics]

/** Every route of the service, in the order of the document. */
export function allRoutes(version: string): readonly Route[] {
  const routes: Route[] = [
    login,
    showProfile,
    changePassword,
    createToken,
    listTokens,
    deleteToken,
    createEnterprise,
    listAllEnterprises,
    createUser,
    listUsers,
    showUser,
    changeUser,
    listAudit,
    createConnection,
    listConnections,
    showConnection,
    testConnection,
    browseForms,
    browseCards,
    changeConnection,
    deleteConnection,
    listFolders,
    createFolder,
    listEnterprises,
    showMyFolder,
    renameFolder,
    deleteFolder,
    restoreFolder,
    moveFolder,
    listChildren,
    listFolderDocuments,
    showBreadcrumb,
    deleteRootFolder,
    uploadDocument,
    listDocuments,
    showDocument,
    downloadDocument,
    deleteDocument,
    beginUpload,
    completeUpload,
    abortUpload,
    deliverObject,
    receivePart,
    createWorkflow,
    listWorkflows,
    showWorkflow,
    configureSource,
    previewSource,
    launchWorkflow,
    listRuns,
    showRun,
    createSource,
    listSources,
    previewFile,
    previewResource,
    previewForSource,
    checkFile,
    showDataPackage,
    checkForSource,
    showSource,
    changeSource,
    deleteSource,
    readSourceData,
    summariseSource,
    profileSource,
    tryRules,
    exportSourceData,
    listRejects,
    sendCorrections,
    reloadSource,
    rollBackSource,
    listLoads,
    showLoad,
    readSourceChanges,
    setSchedule,
    showSchedule,
    deleteSchedule,
    listNextRuns,
    publishLoad,
    deleteLoad,
    createShape,
    listShapes,
    showShape,
    showTableSchema,
    showTemplate,
    changeShape,
    deleteShape,
    showSourceShape,
    changeSourceShape,
    createCollection,
    listCollections,
    showCollection,
    changeCollection,
    deleteCollection,
    addSenders,
    deleteSender,
    addPeriods,
    listSlots,
    remindSender,
    approveSlot,
    returnSlot,
    renewLink,
    showDeliveries,
    showDeliveryTemplate,
    checkDelivery,
    sendDelivery,
    beginDeliveryUpload,
    completeDeliveryUpload,
    abortDeliveryUpload,
    showHome,
    listJobs,
    showJob,
    streamJobEvents,
    cancelJob,
    live,
    ready,
    metrics,
    showKeys,
    docsPage,
    docsAsset,
    ...consoleRoutes(),
    showOpenApi(() => (document ??= openApiOf(routes, version))),
  ]
  let document: Promise<unknown> | null = null
  return routes
}

/** Written on first use, so that no start waits for it. */
async function openApiOf(routes: readonly Route[], version: string): Promise<unknown> {
  const { openApiDocument } = await writers()
  return openApiDocument(routes, version)
}
