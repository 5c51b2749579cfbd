/** What the launcher needs of a logger; pino has this shape. */
export interface EmbeddedPostgresLogger {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

export const silentLogger: EmbeddedPostgresLogger = {
  info: () => undefined,
  warn: () => undefined,
}
