import { compte, fr } from '../../../core/language.ts'
import { defineMessages } from '../../../core/message.ts'

/** Messages about the XML in workbooks. */
export const xmlMessages = defineMessages('xml', {
  damaged: {
    en: ({ part, offset, fault }: { part: string; offset: number; fault: string }) =>
      `The workbook is damaged (${part}, near byte ${offset}: ${fault}). Open it in a spreadsheet program, repair it and save it again.`,
    fr: ({ part, offset, fault }) =>
      fr`Le classeur est abîmé (${part}, vers l’octet ${offset} : ${fault}). Ouvrez-le dans un tableur, réparez-le et enregistrez-le de nouveau.`,
  },
  endsEarly: { en: 'it ends too early', fr: 'il finit trop tôt' },
  loneAmpersand: { en: 'an & stands alone', fr: 'un & est seul' },
  textOutside: { en: 'text outside of an element', fr: 'du texte hors d’un élément' },
  closingTag: { en: 'a closing tag is malformed', fr: 'une balise fermante est mal formée' },
  closesNothing: { en: 'a closing tag closes nothing', fr: 'une balise fermante ne ferme rien' },
  loneBracket: { en: 'a < stands alone', fr: 'un < est seul' },
  loneSlash: { en: 'a / stands alone in a tag', fr: 'un / est seul dans une balise' },
  noValue: { en: 'an attribute has no value', fr: 'un attribut n’a pas de valeur' },
  noQuotes: { en: 'an attribute has no quotes', fr: 'un attribut n’a pas de guillemets' },
  bracketInAttribute: {
    en: 'a < stands in an attribute',
    fr: 'un < se trouve dans un attribut',
  },
  twoRoots: { en: 'it has two roots', fr: 'il a deux racines' },
  declaration: {
    en: 'a declaration stands where none may',
    fr: 'une déclaration se trouve où il ne peut pas y en avoir',
  },
  longTag: {
    en: 'The workbook has an XML tag that is too long.',
    fr: 'Le classeur a une balise XML trop longue.',
  },
  nested: {
    en: ({ most }: { most: number }) => `The workbook nests XML elements deeper than ${most}.`,
    fr: ({ most }) =>
      `Le classeur imbrique des éléments XML sur plus de ${compte(most, 'niveau', 'niveaux')}.`,
  },
  documentType: {
    en: 'The workbook carries a document type declaration (DTD), which no spreadsheet program writes: it is refused. Open it in a spreadsheet program and save it again as .xlsx.',
    fr: 'Le classeur porte une déclaration de type de document (DTD), qu’aucun tableur n’écrit : il est refusé. Ouvrez-le dans un tableur et enregistrez-le de nouveau en .xlsx.',
  },
  manyAttributes: {
    en: ({ most }: { most: number }) => `An XML element has more than ${most} attributes.`,
    fr: ({ most }) => `Un élément XML a plus de ${compte(most, 'attribut', 'attributs')}.`,
  },
  reference: {
    en: ({ reference }: { reference: string }) =>
      `The XML of the workbook has a reference that means nothing: “${reference}”`,
    fr: ({ reference }) =>
      fr`Le XML du classeur contient une référence qui ne signifie rien : « ${reference} »`,
  },
  notDecodable: {
    en: ({ part, found }: { part: string; found: string }) =>
      `The workbook is damaged: ${part} has ${found}. Open it in a spreadsheet program, repair it and save it again.`,
    fr: ({ part, found }) =>
      fr`Le classeur est abîmé : ${part} contient ${found}. Ouvrez-le dans un tableur, réparez-le et enregistrez-le de nouveau.`,
  },
  nul: { en: 'the character NUL (U+0000)', fr: 'le caractère nul (U+0000)' },
  unknownEncoding: {
    en: ({ encoding }: { encoding: string }) => `an encoding that is not known (${encoding})`,
    fr: ({ encoding }) => `un encodage inconnu (${encoding})`,
  },
  notInEncoding: {
    en: ({ encoding }: { encoding: string }) => `bytes that are not ${encoding}`,
    fr: ({ encoding }) => `des octets qui ne sont pas du ${encoding}`,
  },
})
