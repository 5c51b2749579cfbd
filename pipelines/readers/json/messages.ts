import { compte, fr } from '../../core/language.ts'
import { defineMessages } from '../../core/message.ts'

export const jsonMessages = defineMessages('json', {
  otherArrays: {
    en: ({ path, others }: { path: string; others: string }) =>
      `Rows were taken from ${path}; ${others} could be meant as well: name another with the option path.`,
    fr: ({ path, others }) =>
      fr`Les lignes ont été prises de ${path} ; ${others} pourrait aussi être voulu, par l’option path.`,
  },
  takeRows: {
    en: ({ path }: { path: string }) => `Take the rows from ${path}.`,
    fr: ({ path }) => fr`Prendre les lignes de ${path}.`,
  },
  empty: {
    en: 'The file holds no JSON: it is empty, or nothing but white space.',
    fr: 'Le fichier ne contient pas de JSON : il est vide, ou ne contient que des blancs.',
  },
  noRows: {
    en: ({ found }: { found: string }) =>
      `No rows in this JSON: ${found}. Rows are objects: in an array, one after the other, or in an array inside a document, which the option path can name; or arrays under a header of names.`,
    fr: ({ found }) =>
      fr`Ce JSON n’a pas de lignes de données : ${found}. Les lignes sont des objets : dans un tableau, l’un après l’autre, ou dans un tableau à l’intérieur d’un document, que l’option path peut nommer ; ou des tableaux sous un en-tête de noms.`,
  },
  documentIs: {
    en: ({ found }: { found: string }) => `the document is ${found}`,
    fr: ({ found }) => `le document est ${found}`,
  },
  firstElementIs: {
    en: ({ found }: { found: string }) => `the first element of the array is ${found}`,
    fr: ({ found }) => `le premier élément du tableau est ${found}`,
  },
  onlyNull: {
    en: 'the array holds nothing but null',
    fr: 'le tableau ne contient que des null',
  },
  emptyArray: {
    en: 'The JSON array is empty: it has no rows, and so no columns.',
    fr: 'Le tableau JSON est vide : il n’a pas de lignes, et donc pas de colonnes.',
  },
  emptyArrayAt: {
    en: ({ path }: { path: string }) =>
      `The JSON array at ${path} is empty: it has no rows, and so no columns.`,
    fr: ({ path }) =>
      fr`Le tableau JSON en ${path} est vide : il n’a pas de lignes, et donc pas de colonnes.`,
  },
  noKeys: {
    en: 'The rows of this JSON have no keys, and so there is no column.',
    fr: 'Les lignes de ce JSON n’ont pas de clés : il n’y a donc pas de colonne.',
  },
  header: {
    en: ({ fault }: { fault: string }) => `Malformed JSON in the header: ${fault}`,
    fr: ({ fault }) => fr`JSON mal formé dans l’en-tête : ${fault}`,
  },
  wideHeader: {
    en: ({ most }: { most: number }) =>
      `The header of this JSON names more than ${most} columns, which no table can hold.`,
    fr: ({ most }) =>
      `L’en-tête de ce JSON nomme plus de ${compte(most, 'colonne', 'colonnes')}, ce qu’aucune table ne peut contenir.`,
  },
  namesExpected: {
    en: 'expected an array of column names',
    fr: 'un tableau de noms de colonnes est attendu',
  },
  columnsBehind: {
    en: ({ rows }: { rows: string }) =>
      `“columns” stands behind the rows that it names: put it before “${rows}”`,
    fr: ({ rows }) =>
      fr`« columns » se trouve derrière les lignes qu’il nomme : placez-le avant « ${rows} »`,
  },
  afterRows: {
    en: 'something follows the document that holds the rows (with an empty path every document is a row)',
    fr: 'quelque chose suit le document qui contient les lignes (avec un chemin vide, chaque document est une ligne)',
  },
  pathTwice: {
    en: ({ path }: { path: string }) => `the key ${path}, which leads to the rows, occurs twice`,
    fr: ({ path }) => `la clé ${path}, qui mène aux lignes, y figure deux fois`,
  },
  pathIsNoArray: {
    en: ({ path, found }: { path: string; found: string }) =>
      `The path “${path}” leads to ${found}, not to an array of objects.`,
    fr: ({ path, found }) => fr`Le chemin « ${path} » mène à ${found}, non à un tableau d’objets.`,
  },
  pathLeadsNowhere: {
    en: ({ path, missing }: { path: string; missing: string }) =>
      `The path “${path}” leads nowhere: there is no “${missing}” in the document.`,
    fr: ({ path, missing }) =>
      fr`Le chemin « ${path} » ne mène nulle part : le document n’a pas de « ${missing} ».`,
  },
  pathEndsAt: {
    en: ({ path, missing, parent }: { path: string; missing: string; parent: string }) =>
      `The path “${path}” leads nowhere: there is no “${missing}” in ${parent}.`,
    fr: ({ path, missing, parent }) =>
      fr`Le chemin « ${path} » ne mène nulle part : ${parent} n’a pas de « ${missing} ».`,
  },
})
