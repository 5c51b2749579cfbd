import { fr } from '../core/language.ts'
import { defineMessages } from '../core/message.ts'

/** How values are written, after “is” and after “is not”. */
export const notationMessages = defineMessages('notation', {
  any: { en: 'a value', fr: 'une valeur' },
  binary: { en: 'Base64', fr: 'du Base64' },
  uri: {
    en: 'an address that begins with its scheme, such as https://…',
    fr: 'une adresse qui commence par son protocole, comme https://…',
  },
  integer: {
    en: 'a whole number in digits alone, such as 1250',
    fr: 'un nombre entier en chiffres seuls, comme 1250',
  },
  number: {
    en: ({ example }: { example: string }) => `a number written like ${example}`,
    fr: ({ example }) => `un nombre écrit comme ${example}`,
  },
  year: { en: 'a year of four digits', fr: 'une année de quatre chiffres' },
  boolean: {
    en: ({ words }: { words: string }) => `one of: ${words}`,
    fr: ({ words }) => fr`une de ces valeurs : ${words}`,
  },
  date: {
    en: ({ example }: { example: string }) => `a date written like ${example}`,
    fr: ({ example }) => `une date écrite comme ${example}`,
  },
  time: {
    en: ({ example }: { example: string }) => `a time written like ${example}`,
    fr: ({ example }) => `une heure écrite comme ${example}`,
  },
  yearmonth: {
    en: 'a month written like 2024-12',
    fr: 'un mois écrit comme 2024-12',
  },
  duration: {
    en: 'a duration written like P1DT2H',
    fr: 'une durée écrite comme P1DT2H',
  },
  geopoint: {
    en: ({ example }: { example: string }) => `a point, longitude first, written like ${example}`,
    fr: ({ example }) => `un point, la longitude d’abord, écrit comme ${example}`,
  },
  object: {
    en: ({ example }: { example: string }) => `an object of JSON, such as ${example}`,
    fr: ({ example }) => `un objet JSON, comme ${example}`,
  },
  array: {
    en: ({ example }: { example: string }) => `a list of JSON, such as ${example}`,
    fr: ({ example }) => `une liste JSON, comme ${example}`,
  },
  arrayOf: {
    en: ({ example, values }: { example: string; values: string }) =>
      `a list of JSON, such as ${example}, of: ${values}`,
    fr: ({ example, values }) => fr`une liste JSON, comme ${example}, de : ${values}`,
  },
  arrayOfItems: {
    en: ({ example }: { example: string }) =>
      `a list of JSON, such as ${example}, of items as they have to be`,
    fr: ({ example }) => `une liste JSON, comme ${example}, d’éléments tels qu’ils doivent être`,
  },
  geojson: {
    en: ({ example }: { example: string }) => `an object of GeoJSON, such as ${example}`,
    fr: ({ example }) => `un objet GeoJSON, comme ${example}`,
  },
})
