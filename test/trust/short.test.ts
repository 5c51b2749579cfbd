import { describeSection } from './describe-section.ts'
import { SECTIONS } from './sections/index.ts'

/** Need minutes, or a disk of their own: `npm run trust` has them. */
const TOO_LONG = new Set(['load', 'disks', 'database-stop'])

for (const section of SECTIONS) if (!TOO_LONG.has(section.name)) describeSection(section)
