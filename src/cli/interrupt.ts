/** Aborts at the first SIGINT or SIGTERM, so that what runs can clean up; the second one kills. */
export function abortOnInterrupt(): AbortController {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => controller.abort(new Error(`Stopped by ${name}`)))
  }
  return controller
}
