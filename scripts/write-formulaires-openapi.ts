import { writeFile } from 'node:fs/promises'

import { formulairesYaml } from '../src/simulator/formulaires-yaml.ts'

const target = new URL('../docs/formulaires.openapi.yaml', import.meta.url)
await writeFile(target, formulairesYaml())
