import { describeSection } from './describe-section.ts'
import { SECTIONS } from './sections/index.ts'

/** These want a disk or a cluster of their own, and a machine of their own for their figures: `npm run trust`. */
const ELSEWHERE = new Set(['cluster', 'disks', 'load'])

for (const section of SECTIONS) if (!ELSEWHERE.has(section.name)) describeSection(section)
