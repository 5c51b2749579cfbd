type Names = Readonly<Record<number, string>>

/** In French and in English, without accents. */
const FULL_MONTHS: Names = {
  1: 'janvier january',
  2: 'fevrier february',
  3: 'mars march',
  4: 'avril april',
  5: 'mai may',
  6: 'juin june',
  7: 'juillet july',
  8: 'aout august',
  9: 'septembre september',
  10: 'octobre october',
  11: 'novembre november',
  12: 'decembre december',
}
const SHORT_MONTHS: Names = {
  1: 'janv jan',
  2: 'fevr fev feb',
  3: 'mar',
  4: 'avr apr',
  6: 'jun',
  7: 'juil jul',
  8: 'aou aug',
  9: 'sept sep',
  10: 'oct',
  11: 'nov',
  12: 'dec',
}
/** Weeks begin on Monday. */
const FULL_WEEKDAYS: Names = {
  1: 'lundi monday',
  2: 'mardi tuesday',
  3: 'mercredi wednesday',
  4: 'jeudi thursday',
  5: 'vendredi friday',
  6: 'samedi saturday',
  7: 'dimanche sunday',
}
const SHORT_WEEKDAYS: Names = {
  1: 'lun mon',
  2: 'mar tue tues',
  3: 'mer wed',
  4: 'jeu thu thur thurs',
  5: 'ven fri',
  6: 'sam sat',
  7: 'dim sun',
}

/** The number of each name, counted from 1. */
export type NumberByName = ReadonlyMap<string, number>

/** `janvier`. */
export const MONTHS_IN_FULL = byName(FULL_MONTHS)
/** `janv`, or `janvier`. */
export const MONTHS = byName(FULL_MONTHS, SHORT_MONTHS)
export const WEEKDAYS = byName(FULL_WEEKDAYS, SHORT_WEEKDAYS)
export const HALVES_OF_DAY: NumberByName = new Map([
  ['am', 1],
  ['pm', 2],
])

function byName(...lists: readonly Names[]): NumberByName {
  return new Map(
    lists.flatMap((list) =>
      Object.entries(list).flatMap(([number, names]) =>
        names.split(' ').map((name) => [name, Number(number)] as const),
      ),
    ),
  )
}

/** Normalises a name as in the lists above: `Févr` becomes `fevr`. */
export function plainName(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
