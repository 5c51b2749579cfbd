import { defineProblem } from './problem.ts'

// The request itself.
export const ValidationException = defineProblem(
  'ValidationException',
  400,
  'The request is not valid',
  'Correct the fields that `errors` names; /openapi.json describes every one.',
)
export const MalformedBodyException = defineProblem(
  'MalformedBodyException',
  400,
  'The body cannot be read',
  'Send well-formed JSON in UTF-8, without duplicate keys.',
)
export const MalformedRequestException = defineProblem(
  'MalformedRequestException',
  400,
  'The request is not HTTP as it should be',
  'Send it with an HTTP client; `detail` says where it breaks the protocol.',
)
export const HeadersTooLargeException = defineProblem(
  'HeadersTooLargeException',
  431,
  'The headers are too large',
  'Send less than 16 KiB of headers, the address included.',
)
export const UnauthorizedException = defineProblem(
  'UnauthorizedException',
  401,
  'A valid token is required',
  'Sign in again and send the token in X-App-Access-Token or Authorization: Bearer.',
)
export const InvalidCredentialsException = defineProblem(
  'InvalidCredentialsException',
  401,
  'The e-mail address or the password is wrong',
  'Check both. After too many failures no more attempts are taken for up to 15 minutes.',
)
export const PersonalTokenNotFoundException = defineProblem(
  'PersonalTokenNotFoundException',
  404,
  'Personal access token not found',
  'Check the uuid in GET /auth/tokens.',
)
export const PersonalTokenLimitException = defineProblem(
  'PersonalTokenLimitException',
  409,
  'There are too many personal access tokens',
  'Delete those that nothing uses any more: GET /auth/tokens says when each was used last.',
)
export const ForbiddenException = defineProblem(
  'ForbiddenException',
  403,
  'Your role does not allow this',
  'Ask an administrator to do it, or to give you the role.',
)
export const RouteNotFoundException = defineProblem(
  'RouteNotFoundException',
  404,
  'There is nothing at this address',
  'Check the path against /openapi.json.',
)
export const MethodNotAllowedException = defineProblem(
  'MethodNotAllowedException',
  405,
  'This address does not take this method',
  'The header Allow lists the methods that it takes.',
)
export const RequestTimeoutException = defineProblem(
  'RequestTimeoutException',
  408,
  'The body stopped coming',
  'Send it again over a better line, or in parts with /documents/uploads.',
)
export const PayloadTooLargeException = defineProblem(
  'PayloadTooLargeException',
  413,
  'The body is too large',
  'Send less, or have MAX_BODY_SIZE or MAX_UPLOAD_SIZE raised.',
)
export const UnsupportedMediaTypeException = defineProblem(
  'UnsupportedMediaTypeException',
  415,
  'This media type is not taken here',
  'Send the media type that /openapi.json names for the call.',
)
export const TooManyRequestsException = defineProblem(
  'TooManyRequestsException',
  429,
  'Too many failed attempts',
  'Wait as many seconds as Retry-After says, then try again.',
)
export const IdempotencyKeyInUseException = defineProblem(
  'IdempotencyKeyInUseException',
  409,
  'The first request with this Idempotency-Key is under way',
  'Ask again when it is done: the same key then gives its answer.',
)
export const IdempotencyKeyReusedException = defineProblem(
  'IdempotencyKeyReusedException',
  422,
  'This Idempotency-Key came with another body before',
  'Use a new key for a new request.',
)

// The service and what it stands on.
export const InternalServerErrorException = defineProblem(
  'InternalServerErrorException',
  500,
  'Something went wrong on our side',
  'Report the requestId: the log has the cause under it.',
)
export const ServiceUnavailableException = defineProblem(
  'ServiceUnavailableException',
  503,
  'The service cannot take this now',
  'Wait as many seconds as Retry-After says, then try again.',
)
export const InsufficientStorageException = defineProblem(
  'InsufficientStorageException',
  507,
  'The disk is full',
  'Free space for the database or the object storage, then send the request again.',
)

// Jobs.
export const JobNotFoundException = defineProblem(
  'JobNotFoundException',
  404,
  'Job not found',
  'Check the uuid; a job is visible to its owner.',
)
export const JobAlreadyFinishedException = defineProblem(
  'JobAlreadyFinishedException',
  409,
  'The job has finished already',
  'Nothing is left to cancel; GET /jobs/:uuid has its outcome.',
)
export const JobCancelledException = defineProblem(
  'JobCancelledException',
  409,
  'The job was cancelled',
  'Start it again if it is still wanted.',
)

// Enterprises and connections.
export const EnterpriseNotFoundException = defineProblem(
  'EnterpriseNotFoundException',
  404,
  'Enterprise not found',
  'Check the integer id.',
)
export const ApiConnectionNotFoundException = defineProblem(
  'ApiConnectionNotFoundException',
  404,
  'API connection not found',
  'Check the uuid in GET /connections.',
)
export const ApiConnectionNotActiveException = defineProblem(
  'ApiConnectionNotActiveException',
  400,
  'The API connection is not active',
  'Replace its key with PATCH /connections/:uuid.',
)
export const ApiConnectionUnauthorizedException = defineProblem(
  'ApiConnectionUnauthorizedException',
  502,
  'The remote application refused the API key',
  'Replace the key with PATCH /connections/:uuid.',
)
export const ApiResourceTypeNotSupportedException = defineProblem(
  'ApiResourceTypeNotSupportedException',
  400,
  'This type of connection does not support the requested resource',
  'Choose a resource type that the connection supports.',
)
export const RemoteApplicationException = defineProblem(
  'RemoteApplicationException',
  502,
  'The remote application failed',
  'Try again later; if it stays, check the base address and the remote application.',
)
export const RemoteApplicationTimeoutException = defineProblem(
  'RemoteApplicationTimeoutException',
  504,
  'The remote application is too slow',
  'Try again later, or have OUTBOUND_TIMEOUT raised.',
)
export const RemoteApplicationBusyException = defineProblem(
  'RemoteApplicationBusyException',
  503,
  'The remote application asks to wait',
  'Wait as many seconds as Retry-After says, then try again.',
)
export const FormNotFoundException = defineProblem(
  'FormNotFoundException',
  404,
  'Form not found',
  'Check the uuid in GET /connections/:uuid/browse.',
)
export const CardNotFoundException = defineProblem(
  'CardNotFoundException',
  404,
  'Card not found',
  'Check the uuid in GET /connections/:uuid/cards.',
)

// Folders and documents.
export const FolderNotFoundException = defineProblem(
  'FolderNotFoundException',
  404,
  'Folder not found',
  'Check the uuid in GET /folders.',
)
export const FolderRootAlreadyExistsException = defineProblem(
  'FolderRootAlreadyExistsException',
  409,
  'The enterprise has an active root folder already',
  'Create a sub-folder, or delete the present root first.',
)
export const FolderDeleteConfirmationMismatchException = defineProblem(
  'FolderDeleteConfirmationMismatchException',
  400,
  'The confirmation does not match the name of the folder',
  'Send the exact name of the folder in `folderName`.',
)
export const FolderNotRootException = defineProblem(
  'FolderNotRootException',
  400,
  'The folder is not a root',
  'Only a root can be deleted permanently; a sub-folder is deleted with DELETE /folders/:uuid.',
)
export const FolderRestoreConflictException = defineProblem(
  'FolderRestoreConflictException',
  409,
  'The folder cannot be restored',
  'Restore its parent first, or free the place of its root.',
)
export const FolderMoveConflictException = defineProblem(
  'FolderMoveConflictException',
  409,
  'A folder cannot be moved below itself',
  'Choose a parent outside the folder.',
)
export const FolderBeingDeletedException = defineProblem(
  'FolderBeingDeletedException',
  409,
  'The folder is being deleted',
  'Wait for the deletion to end, then look again.',
)
export const DocumentNotFoundException = defineProblem(
  'DocumentNotFoundException',
  404,
  'Document not found',
  'Check the uuid in GET /documents.',
)
export const UploadNotFoundException = defineProblem(
  'UploadNotFoundException',
  404,
  'Upload not found',
  'It was completed or aborted, or nobody completed it in time; begin another one.',
)
export const UploadIncompleteException = defineProblem(
  'UploadIncompleteException',
  409,
  'Parts of the upload are missing',
  'Send the missing parts, then complete it again.',
)
export const DownloadLinkInvalidException = defineProblem(
  'DownloadLinkInvalidException',
  403,
  'The link has expired or was altered',
  'Ask for a new one with GET /documents/:uuid/download.',
)

// Sources and the engine.
export const SourceNotFoundException = defineProblem(
  'SourceNotFoundException',
  404,
  'Source not found',
  'Check the uuid in GET /sources.',
)
export const SourceTableAlreadyExistsException = defineProblem(
  'SourceTableAlreadyExistsException',
  409,
  'The enterprise has a table of this name already',
  'Choose another tableName, or reload the source that holds it.',
)
export const SourceBusyException = defineProblem(
  'SourceBusyException',
  409,
  'The source is being loaded or deleted',
  'Wait for it to end; GET /jobs shows what runs.',
)
export const SourceColumnInUseException = defineProblem(
  'SourceColumnInUseException',
  409,
  'Others use a column that would have to change its type',
  'Drop what depends on the column, or give the column its present type with `columns`.',
)
export const SourceInUseException = defineProblem(
  'SourceInUseException',
  409,
  'Others use the table of the source',
  'Drop what depends on the table, or change what it forbids.',
)
export const SourceLoadNotFoundException = defineProblem(
  'SourceLoadNotFoundException',
  404,
  'Load not found',
  'Check the uuid in GET /sources/:uuid/loads.',
)
export const SourceLoadConflictException = defineProblem(
  'SourceLoadConflictException',
  409,
  'The state of the load, or of the source, does not allow this',
  'GET /sources/:uuid/loads shows the state of each load; `keepLoads` says how many states are kept.',
)
export const SourceScheduleNotFoundException = defineProblem(
  'SourceScheduleNotFoundException',
  404,
  'The source has no schedule',
  'Set one with PUT /sources/:uuid/schedule.',
)
export const SourceScheduleUnsupportedException = defineProblem(
  'SourceScheduleUnsupportedException',
  400,
  'Only a source of an API connection can have a schedule',
  'Reload the source with its new file, or create one from a form or a card.',
)
export const SourceDataInvalidException = defineProblem(
  'SourceDataInvalidException',
  400,
  'The data has values that do not fit their column',
  'Correct the cells that `errors` names, or choose `onInvalid: null` or `skip`.',
)
export const SourceFileMalformedException = defineProblem(
  'SourceFileMalformedException',
  400,
  'The structure of the data is broken',
  'Correct the line that `detail` names, or choose `ragged` or `onInvalid: skip`.',
)
export const SourceFileUnsupportedException = defineProblem(
  'SourceFileUnsupportedException',
  400,
  'This format cannot be read',
  'Save the file as CSV, .xlsx or JSON.',
)
export const SourceFileEmptyException = defineProblem(
  'SourceFileEmptyException',
  400,
  'There is nothing in the data',
  'Send a file with at least a header.',
)
export const SourceLimitExceededException = defineProblem(
  'SourceLimitExceededException',
  400,
  'The data is larger than a table can hold',
  'Split the file, or leave out what `detail` names.',
)
export const SourceOptionsInvalidException = defineProblem(
  'SourceOptionsInvalidException',
  400,
  'An option does not go with the data',
  'Correct the option that `errors` names; POST /sources/preview shows what was found.',
)
export const SourceOriginEmptyException = defineProblem(
  'SourceOriginEmptyException',
  400,
  'The form or card has no columns',
  'Add a question to it in the remote application.',
)

// Workflows.
export const WorkflowNotFoundException = defineProblem(
  'WorkflowNotFoundException',
  404,
  'Workflow not found',
  'Check the uuid in GET /workflows.',
)
export const WorkflowRunNotFoundException = defineProblem(
  'WorkflowRunNotFoundException',
  404,
  'Run not found',
  'Check the uuid in GET /workflows/:uuid/runs.',
)
export const WorkflowSourceNotConfiguredException = defineProblem(
  'WorkflowSourceNotConfiguredException',
  400,
  'The workflow has no source',
  'Set one with POST /workflows/:uuid/source-config.',
)
export const WorkflowSourceEmptyException = defineProblem(
  'WorkflowSourceEmptyException',
  400,
  'The source yields no data',
  'Wait for responses to the form, or choose another source.',
)
