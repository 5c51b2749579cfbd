import { describeSection } from './describe-section.ts'
import { FAULTS } from './sections/index.ts'

for (const section of FAULTS) describeSection(section)
