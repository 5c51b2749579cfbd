import { readFileSync, writeFileSync } from 'node:fs'

import { allRoutes } from '../src/http/routes/index.ts'
import { openApiDocument } from '../src/http/openapi/document.ts'
import { serviceVersion } from '../src/start/version.ts'

/** Writes docs/openapi.json, or with --check fails when it is not what the code says. */
const path = new URL('../docs/openapi.json', import.meta.url)
const text = `${JSON.stringify(openApiDocument(allRoutes(serviceVersion()), serviceVersion()), null, 2)}\n`

if (!process.argv.includes('--check')) {
  writeFileSync(path, text)
} else if (readFileSync(path, 'utf8') !== text) {
  process.stderr.write('docs/openapi.json is out of date: run "npm run openapi"\n')
  process.exitCode = 1
}

// The types of the tests' client follow from what was just written.
await import('./write-api-types.ts')
