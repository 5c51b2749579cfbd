import { defineMessages, fr } from '../../pipelines/index.ts'
import { PageTooLargeException, type Problem } from '../errors/index.ts'
import { MOST_BYTES, type PageTooLongError } from './bounded-rows.ts'

/** Suggests the largest limit with which the beginning of this page is a page of its own. */
export function pageTooLarge(error: PageTooLongError, offset: number): Problem {
  const { rowsThatFit } = error
  const limit = largestDivisor(offset, rowsThatFit)
  if (limit === 0) {
    return new PageTooLargeException(pageMessages.rowTooLarge({ bytes: MOST_BYTES }), {
      cause: error,
    })
  }
  return new PageTooLargeException(pageMessages.pageTooLarge({ bytes: MOST_BYTES, limit }), {
    members: { limit, page: offset / limit + 1 },
    cause: error,
  })
}

/** The same for a preview, which has no other pages and nothing to export yet. */
export function previewTooLarge(rowsThatFit: number, cause: unknown): Problem {
  const bytes = MOST_BYTES
  if (rowsThatFit === 0) {
    return new PageTooLargeException(pageMessages.firstRowTooLarge({ bytes }), { cause })
  }
  return new PageTooLargeException(pageMessages.pageTooLarge({ bytes, limit: rowsThatFit }), {
    members: { limit: rowsThatFit },
    cause,
  })
}

/** The largest divisor up to `most`; 0 if there is none. */
function largestDivisor(of: number, most: number): number {
  for (let divisor = most; divisor > 0; divisor--) if (of % divisor === 0) return divisor
  return 0
}

export const pageMessages = defineMessages('page', {
  pageTooLarge: {
    en: ({ bytes, limit }: { bytes: number; limit: number }) =>
      `These rows are more than ${bytes} bytes; limit=${limit} would do`,
    fr: ({ bytes, limit }) =>
      fr`Ces lignes font plus de ${bytes} octets ; limit=${limit} conviendrait`,
  },
  rowTooLarge: {
    en: ({ bytes }: { bytes: number }) =>
      `One row alone is more than ${bytes} bytes; the export has it`,
    fr: ({ bytes }) => fr`Une seule ligne fait plus de ${bytes} octets ; l’export la contient`,
  },
  firstRowTooLarge: {
    en: ({ bytes }: { bytes: number }) =>
      `The first row alone is more than ${bytes} bytes, which a load takes and a preview does not show`,
    fr: ({ bytes }) =>
      fr`La première ligne fait à elle seule plus de ${bytes} octets : un chargement l’accepte, un aperçu ne la montre pas`,
  },
})
