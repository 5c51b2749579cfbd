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
  'Send it again over a better connection, or in parts with /documents/uploads.',
)
export const PayloadTooLargeException = defineProblem(
  'PayloadTooLargeException',
  413,
  { en: 'The body is too large', fr: 'Le corps de la requête est trop volumineux' },
  'Send less, or have MAX_BODY_SIZE or MAX_UPLOAD_SIZE raised.',
)
export const DocumentsQuotaExceededException = defineProblem(
  'DocumentsQuotaExceededException',
  413,
  {
    en: 'The enterprise has no room for this document',
    fr: 'L’entreprise n’a plus de place pour ce document',
  },
  'Delete documents that are no longer needed, or have DOCUMENTS_QUOTA raised.',
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
  { en: 'Too many attempts', fr: 'Trop de tentatives' },
  'Wait as many seconds as Retry-After says, then try again.',
)
export const ShareExceededException = defineProblem(
  'ShareExceededException',
  429,
  {
    en: 'You are using your share of this already',
    fr: 'Vous occupez déjà votre part de cette capacité',
  },
  'Wait for what you have under way to end, then try again.',
)
export const PageTooLargeException = defineProblem(
  'PageTooLargeException',
  413,
  {
    en: 'The page is too large for one answer',
    fr: 'La page est trop volumineuse pour une seule réponse',
  },
  'Ask for the `limit` that the answer names, or use the export, which has no limit.',
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
export const IdempotencyAnswerLostException = defineProblem(
  'IdempotencyAnswerLostException',
  409,
  {
    en: 'The request with this Idempotency-Key was carried out, but its answer was lost',
    fr: 'Ce qui a été demandé avec cette Idempotency-Key est fait, et sa réponse a été perdue',
  },
  'Check the result: the change was made. Use a new key to make another one.',
)
export const IdempotencyKeyReusedException = defineProblem(
  'IdempotencyKeyReusedException',
  422,
  {
    en: 'This Idempotency-Key was already sent with another body',
    fr: 'Cette Idempotency-Key a déjà été envoyée avec un autre corps',
  },
  'Use a new key for a new request.',
)

// The service and what it depends on.
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
    en: 'The service cannot handle this request now',
    fr: 'Le service ne peut pas traiter cette requête pour le moment',
  },
  'Wait as many seconds as Retry-After says, then try again.',
)
export const InsufficientStorageException = defineProblem(
  'InsufficientStorageException',
  507,
  { en: 'The disk is full', fr: 'Le disque est plein' },
  'Free space for the database, the object storage or the temporary files, then send the request again.',
)
