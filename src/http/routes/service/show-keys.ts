import { Type } from 'typebox'

import { defineRoute, Reply } from '../../define-route.ts'
import { strictObject } from '../../schemas.ts'

const FIVE_MINUTES = 'public, max-age=300'

export const showKeys = defineRoute(
  {
    method: 'get',
    path: '/.well-known/jwks.json',
    access: 'public',
    tag: 'service',
    summary: 'The keys that verify receipts',
    description:
      'As a JWK set. A receipt is a compact JWS, signed with Ed25519; its `kid` names one of these keys. ' +
      'Keys that sign no more stay here, so receipts of any age can be verified.',
    responses: {
      200: {
        description: 'The one that signs now is the first',
        schema: strictObject({
          keys: Type.Array(
            strictObject({
              kty: Type.Literal('OKP'),
              crv: Type.Literal('Ed25519'),
              alg: Type.Literal('EdDSA'),
              use: Type.Literal('sig'),
              kid: Type.String(),
              x: Type.String({ description: 'The public key, as base64url' }),
            }),
          ),
        }),
        example: {
          keys: [
            {
              kty: 'OKP',
              crv: 'Ed25519',
              alg: 'EdDSA',
              use: 'sig',
              kid: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
              x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
            },
          ],
        },
      },
    },
  },
  async (_request, { receipts }) =>
    new Reply(200, { keys: await receipts.keys() }, { 'cache-control': FIVE_MINUTES }),
)
