import { InvalidArgumentError } from 'commander'

/** What an option that counts, or names something by its number, is read with. */
export const wholeNumber =
  (minimum: number, maximum: number) =>
  (text: string): number => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN
    if (value >= minimum && value <= maximum) return value
    throw new InvalidArgumentError(`Write a whole number from ${minimum} to ${maximum}.`)
  }
