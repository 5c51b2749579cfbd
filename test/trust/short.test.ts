import { describeSection } from './describe-section.ts'
import { SECTIONS } from './sections/index.ts'

/** The quick ones; `npm run trust` has them all, and all of each. */
const QUICK = new Set([
  'authorisation',
  'hostile',
  'secrets',
  'addresses',
  'links',
  'input',
  'at-once',
  'deletion',
  'process',
  'database',
])

for (const section of SECTIONS) if (QUICK.has(section.name)) describeSection(section)
