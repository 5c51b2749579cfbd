import * as catalogue from './catalogue.ts'
import type { ProblemClass } from './problem.ts'

export * from './catalogue.ts'
export * from './invalid-field.ts'
export * from './problem.ts'

/** Every problem the service can answer with; the troubleshooting guide is generated from it. */
export const PROBLEMS: readonly ProblemClass[] = Object.values(catalogue)
