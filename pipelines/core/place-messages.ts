import { fr } from './language.ts'
import { defineMessages, type Message } from './message.ts'

/** Where in an input something is wrong. */
export const placeMessages = defineMessages('place', {
  row: {
    en: ({ row }: { row: number }) => `Row ${row}`,
    fr: ({ row }) => `Ligne de données ${row}`,
  },
  rowOnLine: {
    en: ({ row, line }: { row: number; line: number }) => `Row ${row} (line ${line})`,
    fr: ({ row, line }) => `Ligne de données ${row} (ligne ${line})`,
  },
  rowInPlace: {
    en: ({ row, place }: { row: number; place: string }) => `Row ${row} (${place})`,
    fr: ({ row, place }) => `Ligne de données ${row} (${place})`,
  },
  fault: {
    en: ({ place, fault }: { place: string; fault: string }) => `${place}: ${fault}`,
    fr: ({ place, fault }) => fr`${place} : ${fault}`,
  },
})

interface Place {
  readonly row: number
  readonly line?: number
  readonly place?: string
}

export function placeOfRow({ row, line, place }: Place): Message {
  if (place !== undefined) return placeMessages.rowInPlace({ row, place })
  return line === undefined ? placeMessages.row({ row }) : placeMessages.rowOnLine({ row, line })
}
