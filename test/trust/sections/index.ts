import type { Section } from '../section.ts'
import { hostileRequests } from './hostile-requests.ts'

/** Every part of the list, in the order in which it runs. */
export const SECTIONS: readonly Section[] = [hostileRequests]
