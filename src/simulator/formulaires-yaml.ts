import { describeFormulaires } from './openapi.ts'
import { toYaml } from './yaml.ts'

const HEAD =
  '# Written by `node scripts/write-formulaires-openapi.ts`; edit src/simulator/openapi.ts.'

/** The text of docs/formulaires.openapi.yaml. */
export function formulairesYaml(): string {
  // Converted through JSON, which drops what schemas contain besides JSON.
  return `${HEAD}${toYaml(JSON.parse(JSON.stringify(describeFormulaires())))}\n`
}
