import { describeSection } from './describe-section.ts'
import { ATTACKS } from './sections/index.ts'

for (const section of ATTACKS) describeSection(section)
