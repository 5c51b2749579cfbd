import type { Contest } from '../support/contest.ts'
import { excelCase } from './excel.ts'
import { jsonArrayCase, ndjsonCase } from './json.ts'

export const CONTESTS: readonly Contest[] = [excelCase, jsonArrayCase, ndjsonCase]
