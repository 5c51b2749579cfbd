import cors from '@koa/cors'
import Koa from 'koa'

import type { Config } from './config/config.ts'
import { accessLog, requestId, traceRequests } from './http/middleware/access-log.ts'
import { chooseLanguage } from './http/middleware/choose-language.ts'
import { compressLarge, entityTags } from './http/middleware/send-less.ts'
import { openConsole, requireTarget } from './http/middleware/request-target.ts'
import { renderProblems } from './http/middleware/render-problems.ts'
import { securityHeaders } from './http/middleware/security-headers.ts'
import type { Route } from './http/define-route.ts'
import { mountRoutes, noRoute } from './http/mount.ts'
import type { HttpServices } from './http/services.ts'
import { createValidators } from './http/validation.ts'
import type { Logger } from './observability/logger.ts'

interface AppOptions {
  readonly routes: readonly Route[]
  readonly settings: Config['server']
  readonly stopping: AbortSignal
  readonly cut: AbortSignal
}

/** The Koa application: no I/O of its own, only the order in which a request meets its rooms. */
export function createApp(services: HttpServices, logger: Logger, options: AppOptions): Koa {
  const { routes, settings, stopping, cut } = options
  // Only the last address is the proxy's own word; those before it are whatever the client wrote.
  const app = new Koa({ proxy: settings.trustProxy, maxIpsCount: 1 })
  // Koa would write to stderr; `renderProblems` has logged whatever it could not answer.
  app.silent = true

  app.use(requestId)
  app.use(chooseLanguage(settings.language))
  if (services.traces !== null) app.use(traceRequests(services.traces))
  app.use(accessLog(logger, services.metrics))
  app.use(
    securityHeaders({
      contentSecurityPolicy: {
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
        useDefaults: false,
      },
      hsts: settings.publicUrl?.startsWith('https:') ?? false,
    }),
  )
  if (settings.corsOrigins.length > 0)
    app.use(cors({ origin: allowedOrigin(settings.corsOrigins) }))
  app.use(compressLarge())
  app.use(entityTags)
  app.use(renderProblems(logger, services))
  app.use(requireTarget)
  app.use(openConsole)

  const mounted = mountRoutes(routes, {
    services,
    catalogue: services.catalogue,
    validators: createValidators(),
    maxBodyBytes: settings.maxBodyBytes,
    maxUploadBytes: settings.maxUploadBytes,
    bodyIdleTimeoutMs: settings.uploadIdleTimeoutMs,
    publicUrl: settings.publicUrl,
    stopping,
    cut,
  })
  app.use(mounted)
  app.use(noRoute)
  return app
}

const allowedOrigin = (origins: readonly string[]) => (ctx: Koa.Context) => {
  const origin = ctx.get('origin')
  return origins.includes(origin) ? origin : ''
}
