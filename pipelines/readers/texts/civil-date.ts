/** The years from 1 to 9999, which are the ones that four digits and a date of the database hold. */
export const FIRST_DAY = -719_162
export const LAST_DAY = 2_932_896

/**
 * A day counted from 1970-01-01, as `YYYY-MM-DD`, with a sign and six digits for the years before 0 and
 * after 9999, as ISO 8601 has it. Howard Hinnant's days-to-civil: several times
 * cheaper than a `Date` for each cell.
 */
export function civilDate(daysSinceEpoch: number): string {
  const days = daysSinceEpoch + 719_468
  const era = Math.floor(days / 146_097)
  const dayOfEra = days - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${yearText(year)}-${twoDigits(month)}-${twoDigits(day)}`
}

function yearText(year: number): string {
  if (year >= 0 && year <= 9999) return String(year).padStart(4, '0')
  return (year < 0 ? '-' : '+') + String(Math.abs(year)).padStart(6, '0')
}

export function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}
