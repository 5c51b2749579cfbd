import { InvalidArgumentError } from 'commander'

/** A parser for options that are counts or numeric ids. */
export const wholeNumber =
  (minimum: number, maximum: number) =>
  (text: string): number => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN
    if (value >= minimum && value <= maximum) return value
    throw new InvalidArgumentError(`Write a whole number from ${minimum} to ${maximum}.`)
  }
