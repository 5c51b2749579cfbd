import { fr } from '../../core/language.ts'
import { defineMessages } from '../../core/message.ts'

export const recordMessages = defineMessages('xml-records', {
  broken: {
    en: ({ offset, fault }: { offset: number; fault: string }) =>
      `The XML is broken near byte ${offset}: ${fault}.`,
    fr: ({ offset, fault }) => fr`Le XML est mal formé vers l’octet ${offset} : ${fault}.`,
  },
  documentType: {
    en: 'The XML carries a document type declaration (DTD), which can declare entities: it is refused. Export it without one.',
    fr: 'Le XML porte une déclaration de type de document (DTD), qui peut déclarer des entités : il est refusé. Exportez-le sans elle.',
  },
  reference: {
    en: ({ reference }: { reference: string }) =>
      `The XML has a reference that means nothing: “${reference}”.`,
    fr: ({ reference }) =>
      fr`Le XML contient une référence qui ne signifie rien : « ${reference} ».`,
  },
  notDecodable: {
    en: ({ found }: { found: string }) => `The XML has ${found}.`,
    fr: ({ found }) => fr`Le XML contient ${found}.`,
  },
  tooLarge: {
    en: 'The XML has a tag that is too long, or elements nested too deeply.',
    fr: 'Le XML a une balise trop longue, ou des éléments trop imbriqués.',
  },
  longRecord: {
    en: ({ most }: { most: number }) => `A record of the XML is longer than ${most} bytes.`,
    fr: ({ most }) => fr`Un enregistrement du XML dépasse ${most} octets.`,
  },
  noElement: {
    en: ({ path }: { path: string }) => `The XML has no element “${path}”.`,
    fr: ({ path }) => fr`Le XML n’a pas d’élément « ${path} ».`,
  },
})
