import { defineProblem } from './problem.ts'

export * from './collection-problems.ts'
export * from './request-problems.ts'

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
  'There is nothing left to cancel; GET /jobs/:uuid has its outcome.',
)
export const JobCancelledException = defineProblem(
  'JobCancelledException',
  409,
  { en: 'The job was cancelled', fr: 'La tâche a été annulée' },
  'Start it again if it is still wanted.',
)

export const RightsLostException = defineProblem(
  'RightsLostException',
  403,
  {
    en: 'The owner of the job has lost the rights to it',
    fr: 'Le propriétaire de la tâche n’en a plus le droit',
  },
  'Have somebody start it again who may; nothing was published.',
)

// Enterprises, users and connections.
export const EnterpriseNotFoundException = defineProblem(
  'EnterpriseNotFoundException',
  404,
  { en: 'Enterprise not found', fr: 'Entreprise introuvable' },
  'Check the integer id.',
)
export const UserNotFoundException = defineProblem(
  'UserNotFoundException',
  404,
  { en: 'User not found', fr: 'Utilisateur introuvable' },
  'Check the uuid in GET /users.',
)
export const UserAlreadyExistsException = defineProblem(
  'UserAlreadyExistsException',
  409,
  { en: 'A user has this e-mail address already', fr: 'Un utilisateur a déjà cette adresse' },
  'Change the user who has the address, or give another one.',
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
  'Try again later; if it keeps failing, check the base address and the remote application.',
)
export const RemoteApplicationTimeoutException = defineProblem(
  'RemoteApplicationTimeoutException',
  504,
  { en: 'The remote application is too slow', fr: 'L’application distante est trop lente' },
  'Try again later, or have the operator raise OUTBOUND_TIMEOUT.',
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
export const UploadQuotaExceededException = defineProblem(
  'UploadQuotaExceededException',
  429,
  {
    en: 'Too much is being uploaded in parts',
    fr: 'Trop de données sont en cours d’envoi par parties',
  },
  'Complete or abort uploads of the enterprise; what nobody completes is dropped after a day.',
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
export const SourceColumnInUseException = defineProblem(
  'SourceColumnInUseException',
  409,
  {
    en: 'Others use a column that would have to change its type',
    fr: 'D’autres utilisent une colonne dont le type devrait changer',
  },
  'Drop what depends on the column, or give the column its present type with `columns`.',
)
export const SourceInUseException = defineProblem(
  'SourceInUseException',
  409,
  { en: 'Others use the table of the source', fr: 'D’autres utilisent la table de la source' },
  'Drop what depends on the table, or change what it forbids.',
)
export const SourceLoadNotFoundException = defineProblem(
  'SourceLoadNotFoundException',
  404,
  { en: 'Load not found', fr: 'Chargement introuvable' },
  'Check the uuid in GET /sources/:uuid/loads.',
)
export const SourceLoadConflictException = defineProblem(
  'SourceLoadConflictException',
  409,
  {
    en: 'The state of the load, or of the source, does not allow this',
    fr: 'L’état du chargement, ou de la source, ne le permet pas',
  },
  'GET /sources/:uuid/loads shows the state of each load; `keepLoads` says how many states are kept.',
)
// Shapes and mappings.
export const ShapeNotFoundException = defineProblem(
  'ShapeNotFoundException',
  404,
  { en: 'Shape not found', fr: 'Gabarit introuvable' },
  'Check the uuid in GET /shapes; the shape of a source is at GET /sources/:uuid/shape.',
)
export const ShapeInUseException = defineProblem(
  'ShapeInUseException',
  409,
  { en: 'The shape is in use', fr: 'Le gabarit est utilisé' },
  'Give the sources that use it another shape, or their own, with PATCH /sources/:uuid.',
)
export const ShapeChangedException = defineProblem(
  'ShapeChangedException',
  412,
  { en: 'The shape has changed', fr: 'Le gabarit a changé' },
  'Read the shape or preview the file again, and send If-Match with the version that is shown then.',
)
export const MappingQuestionException = defineProblem(
  'MappingQuestionException',
  409,
  {
    en: 'Only people can say what some headers mean',
    fr: 'Seules des personnes peuvent dire ce que désignent certains en-têtes',
  },
  'Answer each of `questions` with `mapping`: a header, and its column, its own name for a new one, or null to leave it out.',
)
export const RuleBrokenException = defineProblem(
  'RuleBrokenException',
  409,
  { en: 'What would be shown breaks a rule', fr: 'Ce qui serait montré enfreint une règle' },
  'Correct the rows that `errors` names, or change the rule of the shape.',
)
export const SourceScheduleNotFoundException = defineProblem(
  'SourceScheduleNotFoundException',
  404,
  { en: 'The source has no schedule', fr: 'La source n’a pas de planification' },
  'Set one with PUT /sources/:uuid/schedule.',
)
export const SourceScheduleUnsupportedException = defineProblem(
  'SourceScheduleUnsupportedException',
  400,
  {
    en: 'Only a source of an API connection can have a schedule',
    fr: 'Seule une source d’une connexion API peut être planifiée',
  },
  'Reload the source with its new file, or create one from a form or a card.',
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
  'Save the file as CSV, .xlsx, .ods, Parquet or JSON.',
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
export const FileBackTooLargeException = defineProblem(
  'FileBackTooLargeException',
  413,
  {
    en: 'The rows are too many to be given back as a workbook',
    fr: 'Les lignes sont trop nombreuses pour être rendues en classeur',
  },
  'Send it as .xlsx, or load it with `onInvalid: skip` and take the rejected rows as CSV.',
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
