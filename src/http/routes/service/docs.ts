import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

import { Type } from 'typebox'

import { defineRoute, Reply } from '../../define-route.ts'
import { strictObject } from '../../schemas.ts'

/** Everything that the page needs comes from this service; no outside address is used. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Its addresses are relative, since a proxy may have the service below a path.
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Administration service</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="page"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`

const START = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#page',
  deepLinking: true,
  // A token stays in the memory of the page: a browser's storage would keep it for the next user.
  persistAuthorization: false,
  docExpansion: 'list',
  validatorUrl: null,
})
`

const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

const ASSETS = {
  'swagger-ui.css': {
    type: 'text/css; charset=utf-8',
    read: () => readFile(join(SWAGGER_UI, 'swagger-ui.css')),
  },
  'swagger-ui-bundle.js': {
    type: 'text/javascript; charset=utf-8',
    read: () => readFile(join(SWAGGER_UI, 'swagger-ui-bundle.js')),
  },
  'start.js': { type: 'text/javascript; charset=utf-8', read: async () => Buffer.from(START) },
} as const

const ASSET_NAMES = Object.keys(ASSETS) as (keyof typeof ASSETS)[]

export const docsPage = defineRoute(
  {
    method: 'get',
    path: '/docs',
    access: 'public',
    tag: 'service',
    summary: 'This document as a page',
    responses: { 200: { description: 'A page', files: { 'text/html': '<!doctype html>' } } },
  },
  async () =>
    new Reply(200, PAGE, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': CONTENT_SECURITY_POLICY,
    }),
)

export const docsAsset = defineRoute(
  {
    method: 'get',
    path: '/docs/:file',
    access: 'public',
    tag: 'service',
    summary: 'A part of the documentation page',
    params: strictObject({ file: Type.Enum(ASSET_NAMES) }),
    responses: {
      200: {
        description: 'The part',
        files: { 'text/css': '.swagger-ui {}', 'text/javascript': START },
      },
    },
  },
  async ({ params }) => {
    const asset = ASSETS[params.file]
    return new Reply(200, await asset.read(), {
      'content-type': asset.type,
      'cache-control': 'public, max-age=3600',
    })
  },
)
