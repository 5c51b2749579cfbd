import { tagOf } from '../../../domain/shapes/shape-versions.ts'
import { Reply } from '../../define-route.ts'
import { presentShape } from '../../presenters/present-shape.ts'
import type { FileShape } from '../../../resources/shape.ts'

export const IF_MATCH = {
  'If-Match': {
    description: 'Only if the shape is still this version; 412 when it has moved on',
    example: '"7c1f0c52-5d0e-4c43-9a55-2f1b1f6a9c10.3"',
  },
}

/** The same for what is loaded as a preview or a check of the file has shown it. */
export const IF_MATCH_OF_LOAD = {
  'If-Match': {
    description:
      'The `uuid` and the `version` of the `shape` that a preview or a check has shown. Only if it ' +
      'is still this version; 412 with its `changes` when it has moved on',
    example: IF_MATCH['If-Match'].example,
  },
}

export const tagged = (shape: FileShape, status = 200): Reply =>
  new Reply(status, presentShape(shape), { etag: `"${tagOf(shape)}"` })

/** The versions that the client names; null: whatever it is. */
export function tagsIn(header: string | undefined): readonly string[] | null {
  if (header === undefined || header.trim() === '*') return null
  return header.split(',').map((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', ''))
}
