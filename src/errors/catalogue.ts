import { defineProblem } from './problem.ts'

// The request itself.
export const ValidationException = defineProblem(
  'ValidationException',
  400,
  { en: 'The request is not valid', fr: 'La requête n’est pas valide' },
  'Correct the fields that `errors` names; /openapi.json describes every one.',
)
export const MalformedBodyException = defineProblem(
  'MalformedBodyException',
  400,
  { en: 'The body cannot be read', fr: 'Le corps de la requête est illisible' },
  'Send well-formed JSON in UTF-8, without duplicate keys.',
)
export const MalformedRequestException = defineProblem(
  'MalformedRequestException',
  400,
  { en: 'The request is not HTTP as it should be', fr: 'La requête n’est pas du HTTP correct' },
  'Send it with an HTTP client; `detail` says where it breaks the protocol.',
)
export const HeadersTooLargeException = defineProblem(
  'HeadersTooLargeException',
  431,
  { en: 'The headers are too large', fr: 'Les en-têtes sont trop volumineux' },
  'Send less than 16 KiB of headers, the address included.',
)
export const UnauthorizedException = defineProblem(
  'UnauthorizedException',
  401,
  { en: 'A valid token is required', fr: 'Un jeton valide est nécessaire' },
  'Sign in again and send the token in X-App-Access-Token or Authorization: Bearer.',
)
export const InvalidCredentialsException = defineProblem(
  'InvalidCredentialsException',
  401,
  {
    en: 'The e-mail address or the password is wrong',
    fr: 'L’adresse e-mail ou le mot de passe est incorrect',
  },
  'Check both. After too many failures no more attempts are taken for up to 15 minutes.',
)
export const PersonalTokenNotFoundException = defineProblem(
  'PersonalTokenNotFoundException',
  404,
  { en: 'Personal access token not found', fr: 'Jeton d’accès personnel introuvable' },
  'Check the uuid in GET /auth/tokens.',
)
export const PersonalTokenLimitException = defineProblem(
  'PersonalTokenLimitException',
  409,
  {
    en: 'There are too many personal access tokens',
    fr: 'Il y a trop de jetons d’accès personnels',
  },
  'Delete those that nothing uses any more: GET /auth/tokens says when each was used last.',
)
export const ForbiddenException = defineProblem(
  'ForbiddenException',
  403,
  { en: 'Your role does not allow this', fr: 'Votre rôle ne le permet pas' },
  'Ask an administrator to do it, or to give you the role.',
)
export const RouteNotFoundException = defineProblem(
  'RouteNotFoundException',
  404,
  { en: 'There is nothing at this address', fr: 'Il n’y a rien à cette adresse' },
  'Check the path against /openapi.json.',
)
export const MethodNotAllowedException = defineProblem(
  'MethodNotAllowedException',
  405,
  { en: 'This address does not take this method', fr: 'Cette adresse n’accepte pas cette méthode' },
  'The header Allow lists the methods that it takes.',
)
export const RequestTimeoutException = defineProblem(
  'RequestTimeoutException',
  408,
  { en: 'The body stopped coming', fr: 'Le corps de la requête a cessé d’arriver' },
  'Send it again over a better line, or in parts with /documents/uploads.',
)
export const PayloadTooLargeException = defineProblem(
  'PayloadTooLargeException',
  413,
  { en: 'The body is too large', fr: 'Le corps de la requête est trop volumineux' },
  'Send less, or have MAX_BODY_SIZE or MAX_UPLOAD_SIZE raised.',
)
export const UnsupportedMediaTypeException = defineProblem(
  'UnsupportedMediaTypeException',
  415,
  { en: 'This media type is not taken here', fr: 'Ce type de contenu n’est pas accepté ici' },
  'Send the media type that /openapi.json names for the call.',
)
export const TooManyRequestsException = defineProblem(
  'TooManyRequestsException',
  429,
  { en: 'Too many failed attempts', fr: 'Trop de tentatives ont échoué' },
  'Wait as many seconds as Retry-After says, then try again.',
)
export const IdempotencyKeyInUseException = defineProblem(
  'IdempotencyKeyInUseException',
  409,
  {
    en: 'The first request with this Idempotency-Key is under way',
    fr: 'La première requête avec cette Idempotency-Key est en cours',
  },
  'Ask again when it is done: the same key then gives its answer.',
)
export const IdempotencyKeyReusedException = defineProblem(
  'IdempotencyKeyReusedException',
  422,
  {
    en: 'This Idempotency-Key came with another body before',
    fr: 'Cette Idempotency-Key a déjà été envoyée avec un autre corps',
  },
  'Use a new key for a new request.',
)

// The service and what it stands on.
export const InternalServerErrorException = defineProblem(
  'InternalServerErrorException',
  500,
  { en: 'Something went wrong on our side', fr: 'Une erreur s’est produite de notre côté' },
  'Report the requestId: the log has the cause under it.',
)
export const ServiceUnavailableException = defineProblem(
  'ServiceUnavailableException',
  503,
  {
    en: 'The service cannot take this now',
    fr: 'Le service ne peut pas traiter cette requête pour le moment',
  },
  'Wait as many seconds as Retry-After says, then try again.',
)
export const InsufficientStorageException = defineProblem(
  'InsufficientStorageException',
  507,
  { en: 'The disk is full', fr: 'Le disque est plein' },
  'Free space for the database or the object storage, then send the request again.',
)

// Jobs.
export const JobNotFoundException = defineProblem(
  'JobNotFoundException',
  404,
  { en: 'Job not found', fr: 'Tâche introuvable' },
  'Check the uuid; a job is visible to its owner.',
)
export const JobAlreadyFinishedException = defineProblem(
  'JobAlreadyFinishedException',
  409,
  { en: 'The job has finished already', fr: 'La tâche est déjà terminée' },
  'Nothing is left to cancel; GET /jobs/:uuid has its outcome.',
)
export const JobCancelledException = defineProblem(
  'JobCancelledException',
  409,
  { en: 'The job was cancelled', fr: 'La tâche a été annulée' },
  'Start it again if it is still wanted.',
)

// Enterprises and connections.
export const EnterpriseNotFoundException = defineProblem(
  'EnterpriseNotFoundException',
  404,
  { en: 'Enterprise not found', fr: 'Entreprise introuvable' },
  'Check the integer id.',
)
export const ApiConnectionNotFoundException = defineProblem(
  'ApiConnectionNotFoundException',
  404,
  { en: 'API connection not found', fr: 'Connexion API introuvable' },
  'Check the uuid in GET /connections.',
)
export const ApiConnectionNotActiveException = defineProblem(
  'ApiConnectionNotActiveException',
  400,
  { en: 'The API connection is not active', fr: 'La connexion API n’est pas active' },
  'Replace its key with PATCH /connections/:uuid.',
)
export const ApiConnectionUnauthorizedException = defineProblem(
  'ApiConnectionUnauthorizedException',
  502,
  {
    en: 'The remote application refused the API key',
    fr: 'L’application distante a refusé la clé API',
  },
  'Replace the key with PATCH /connections/:uuid.',
)
export const ApiResourceTypeNotSupportedException = defineProblem(
  'ApiResourceTypeNotSupportedException',
  400,
  {
    en: 'This type of connection does not support the requested resource',
    fr: 'Ce type de connexion ne propose pas la ressource demandée',
  },
  'Choose a resource type that the connection supports.',
)
export const RemoteApplicationException = defineProblem(
  'RemoteApplicationException',
  502,
  { en: 'The remote application failed', fr: 'L’application distante a échoué' },
  'Try again later; if it stays, check the base address and the remote application.',
)
export const RemoteApplicationTimeoutException = defineProblem(
  'RemoteApplicationTimeoutException',
  504,
  { en: 'The remote application is too slow', fr: 'L’application distante est trop lente' },
  'Try again later, or have OUTBOUND_TIMEOUT raised.',
)
export const RemoteApplicationBusyException = defineProblem(
  'RemoteApplicationBusyException',
  503,
  { en: 'The remote application asks to wait', fr: 'L’application distante demande d’attendre' },
  'Wait as many seconds as Retry-After says, then try again.',
)
export const FormNotFoundException = defineProblem(
  'FormNotFoundException',
  404,
  { en: 'Form not found', fr: 'Formulaire introuvable' },
  'Check the uuid in GET /connections/:uuid/browse.',
)
export const CardNotFoundException = defineProblem(
  'CardNotFoundException',
  404,
  { en: 'Card not found', fr: 'Fiche introuvable' },
  'Check the uuid in GET /connections/:uuid/cards.',
)

// Folders and documents.
export const FolderNotFoundException = defineProblem(
  'FolderNotFoundException',
  404,
  { en: 'Folder not found', fr: 'Dossier introuvable' },
  'Check the uuid in GET /folders.',
)
export const FolderRootAlreadyExistsException = defineProblem(
  'FolderRootAlreadyExistsException',
  409,
  {
    en: 'The enterprise has an active root folder already',
    fr: 'L’entreprise a déjà un dossier racine actif',
  },
  'Create a sub-folder, or delete the present root first.',
)
export const FolderDeleteConfirmationMismatchException = defineProblem(
  'FolderDeleteConfirmationMismatchException',
  400,
  {
    en: 'The confirmation does not match the name of the folder',
    fr: 'La confirmation ne correspond pas au nom du dossier',
  },
  'Send the exact name of the folder in `folderName`.',
)
export const FolderNotRootException = defineProblem(
  'FolderNotRootException',
  400,
  { en: 'The folder is not a root', fr: 'Le dossier n’est pas une racine' },
  'Only a root can be deleted permanently; a sub-folder is deleted with DELETE /folders/:uuid.',
)
export const FolderRestoreConflictException = defineProblem(
  'FolderRestoreConflictException',
  409,
  { en: 'The folder cannot be restored', fr: 'Le dossier ne peut pas être restauré' },
  'Restore its parent first, or free the place of its root.',
)
export const FolderMoveConflictException = defineProblem(
  'FolderMoveConflictException',
  409,
  {
    en: 'A folder cannot be moved below itself',
    fr: 'Un dossier ne peut pas être déplacé sous lui-même',
  },
  'Choose a parent outside the folder.',
)
export const FolderBeingDeletedException = defineProblem(
  'FolderBeingDeletedException',
  409,
  { en: 'The folder is being deleted', fr: 'Le dossier est en cours de suppression' },
  'Wait for the deletion to end, then look again.',
)
export const DocumentNotFoundException = defineProblem(
  'DocumentNotFoundException',
  404,
  { en: 'Document not found', fr: 'Document introuvable' },
  'Check the uuid in GET /documents.',
)
export const UploadNotFoundException = defineProblem(
  'UploadNotFoundException',
  404,
  { en: 'Upload not found', fr: 'Téléversement introuvable' },
  'It was completed or aborted, or nobody completed it in time; begin another one.',
)
export const UploadIncompleteException = defineProblem(
  'UploadIncompleteException',
  409,
  { en: 'Parts of the upload are missing', fr: 'Il manque des parties du téléversement' },
  'Send the missing parts, then complete it again.',
)
export const DownloadLinkInvalidException = defineProblem(
  'DownloadLinkInvalidException',
  403,
  { en: 'The link has expired or was altered', fr: 'Le lien a expiré ou a été modifié' },
  'Ask for a new one with GET /documents/:uuid/download.',
)

// Sources and the engine.
export const SourceNotFoundException = defineProblem(
  'SourceNotFoundException',
  404,
  { en: 'Source not found', fr: 'Source introuvable' },
  'Check the uuid in GET /sources.',
)
export const SourceTableAlreadyExistsException = defineProblem(
  'SourceTableAlreadyExistsException',
  409,
  {
    en: 'The enterprise has a table of this name already',
    fr: 'L’entreprise a déjà une table de ce nom',
  },
  'Choose another tableName, or reload the source that holds it.',
)
export const SourceBusyException = defineProblem(
  'SourceBusyException',
  409,
  {
    en: 'The source is being loaded or deleted',
    fr: 'La source est en cours de chargement ou de suppression',
  },
  'Wait for it to end; GET /jobs shows what runs.',
)
export const SourceDataInvalidException = defineProblem(
  'SourceDataInvalidException',
  400,
  {
    en: 'The data has values that do not fit their column',
    fr: 'Des valeurs ne correspondent pas au type de leur colonne',
  },
  'Correct the cells that `errors` names, or choose `onInvalid: null` or `skip`.',
)
export const SourceFileMalformedException = defineProblem(
  'SourceFileMalformedException',
  400,
  { en: 'The structure of the data is broken', fr: 'La structure des données est défectueuse' },
  'Correct the line that `detail` names, or choose `ragged` or `onInvalid: skip`.',
)
export const SourceFileUnsupportedException = defineProblem(
  'SourceFileUnsupportedException',
  400,
  { en: 'This format cannot be read', fr: 'Ce format ne peut pas être lu' },
  'Save the file as CSV, .xlsx or JSON.',
)
export const SourceFileEmptyException = defineProblem(
  'SourceFileEmptyException',
  400,
  { en: 'There is nothing in the data', fr: 'Les données sont vides' },
  'Send a file with at least a header.',
)
export const SourceLimitExceededException = defineProblem(
  'SourceLimitExceededException',
  400,
  {
    en: 'The data is larger than a table can hold',
    fr: 'Les données dépassent ce qu’une table peut contenir',
  },
  'Split the file, or leave out what `detail` names.',
)
export const SourceOptionsInvalidException = defineProblem(
  'SourceOptionsInvalidException',
  400,
  { en: 'An option does not go with the data', fr: 'Une option ne convient pas aux données' },
  'Correct the option that `errors` names; POST /sources/preview shows what was found.',
)
export const SourceOriginEmptyException = defineProblem(
  'SourceOriginEmptyException',
  400,
  { en: 'The form or card has no columns', fr: 'Le formulaire ou la fiche n’a pas de colonnes' },
  'Add a question to it in the remote application.',
)

// Workflows.
export const WorkflowNotFoundException = defineProblem(
  'WorkflowNotFoundException',
  404,
  { en: 'Workflow not found', fr: 'Workflow introuvable' },
  'Check the uuid in GET /workflows.',
)
export const WorkflowRunNotFoundException = defineProblem(
  'WorkflowRunNotFoundException',
  404,
  { en: 'Run not found', fr: 'Exécution introuvable' },
  'Check the uuid in GET /workflows/:uuid/runs.',
)
export const WorkflowSourceNotConfiguredException = defineProblem(
  'WorkflowSourceNotConfiguredException',
  400,
  { en: 'The workflow has no source', fr: 'Le workflow n’a pas de source' },
  'Set one with POST /workflows/:uuid/source-config.',
)
export const WorkflowSourceEmptyException = defineProblem(
  'WorkflowSourceEmptyException',
  400,
  { en: 'The source yields no data', fr: 'La source ne fournit aucune donnée' },
  'Wait for responses to the form, or choose another source.',
)
