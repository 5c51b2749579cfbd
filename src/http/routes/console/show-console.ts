import { hash } from 'node:crypto'

import { Type } from 'typebox'

import { standardFormats } from '../../../../pipelines/index.ts'
import { RouteNotFoundException } from '../../../errors/index.ts'
import { defineRoute, Reply, type Route } from '../../define-route.ts'
import { strictObject } from '../../schemas.ts'
import { type ConsoleFiles, type ConsolePage, readConsole } from './console-files.ts'
import { requestMessages } from '../../request-messages.ts'

/** The console's page and files. They are read once, when they are first asked for. */
export function consoleRoutes(): readonly Route[] {
  let reading: Promise<ConsoleFiles> | null = null
  const files = () => (reading ??= readConsole())
  return [consolePage(files), senderPage(files), consolePart(files), consoleIcon(files)]
}

const consolePage = (read: () => Promise<ConsoleFiles>) =>
  defineRoute(
    {
      method: 'get',
      path: '/console/',
      access: 'public',
      tag: 'service',
      summary: 'The console, a page for people',
      description: 'It calls this interface and nothing besides.',
      responses: { 200: { description: 'A page', files: { 'text/html': '<!doctype html>' } } },
    },
    async (_request, { uploadOrigin }) => {
      const { pages } = await read()
      return answerPage(pages.console, await uploadOrigin(), FORMATS)
    },
  )

const senderPage = (read: () => Promise<ConsoleFiles>) =>
  defineRoute(
    {
      method: 'get',
      path: '/deliver/',
      access: 'public',
      tag: 'deliveries',
      summary: 'The page for senders of a collection, who have no account',
      description:
        'The secret of their link stands behind its `#`, which no browser sends. The page calls this ' +
        'interface and nothing besides.',
      responses: { 200: { description: 'A page', files: { 'text/html': '<!doctype html>' } } },
    },
    async (_request, { uploadOrigin }) => {
      const { pages } = await read()
      return answerPage(pages.deliver, await uploadOrigin(), '[]')
    },
  )

function answerPage(page: ConsolePage, origin: string | null, formats: string): Reply {
  const html = page.html
    .replace('{{uploadOrigin}}', origin ?? '')
    .replace('{{formats}}', () => formats.replaceAll('"', '&quot;'))
  return new Reply(200, html, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': contentSecurityPolicy(page, origin),
  })
}

/** Named, and not with the weight 0. */
const TAKES_GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/

const consolePart = (read: () => Promise<ConsoleFiles>) =>
  defineRoute(
    {
      method: 'get',
      path: '/console/assets/:version/*file',
      access: 'public',
      tag: 'service',
      summary: 'A part of the console',
      params: strictObject({
        version: Type.String({ examples: ['5b51a2c07d3e'] }),
        file: Type.String({ examples: ['main.js'] }),
      }),
      responses: {
        200: {
          description: 'The part',
          files: { 'text/javascript': '', 'text/css': '', 'image/svg+xml': '<svg/>' },
        },
      },
      problems: [RouteNotFoundException],
    },
    async ({ params, header }) => {
      const { version, files } = await read()
      const file = files.get(params.file)
      // Parts of two versions do not go together.
      if (!file || params.version !== version) {
        throw new RouteNotFoundException(requestMessages.noConsolePart())
      }
      const isCompressed = TAKES_GZIP.test(header('accept-encoding') ?? '')
      return new Reply(200, isCompressed ? file.gzipped : file.bytes, {
        'content-type': file.type,
        'cache-control': 'public, max-age=31536000, immutable',
        ...(isCompressed && { 'content-encoding': 'gzip' }),
      })
    },
  )

/** Browsers ask for it beside every page of the service, whatever that page is. */
const consoleIcon = (read: () => Promise<ConsoleFiles>) =>
  defineRoute(
    {
      method: 'get',
      path: '/favicon.ico',
      access: 'public',
      tag: 'service',
      summary: 'The icon of the service',
      responses: { 200: { description: 'The icon', files: { 'image/svg+xml': '<svg/>' } } },
    },
    async () => {
      const { type, bytes } = (await read()).files.get('icon.svg')!
      return new Reply(200, bytes, {
        'content-type': type,
        'cache-control': 'public, max-age=86400',
      })
    },
  )

/** Which formats can be read and which options each has, so that the page need not ask. */
const FORMATS = JSON.stringify(
  [...standardFormats()].map(({ name, options }) => ({ name, options: Object.keys(options) })),
)

/** Allows only scripts and styles of this service; parts of uploads may be sent to the object storage. */
function contentSecurityPolicy({ importMap }: ConsolePage, origin: string | null): string {
  const digest = hash('sha256', importMap, 'base64')
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${digest}'`,
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self'${origin === null ? '' : ` ${origin}`}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}
