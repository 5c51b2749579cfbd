import { fr } from '../core/language.ts'
import { defineMessages } from '../core/message.ts'

/** Kinds of files that are not tables, and what to do about each. */
export const foreignMessages = defineMessages('foreign-file', {
  refusal: {
    en: ({ seen, instead }: { seen: string; instead: string }) =>
      `The file is ${seen}: ${instead}.`,
    fr: ({ seen, instead }) => fr`Le fichier est ${seen} : ${instead}.`,
  },
  saveTable: {
    en: 'save the table in it as CSV, JSON or .xlsx and send that',
    fr: 'enregistrez le tableau qu’il contient en CSV, JSON ou .xlsx et envoyez celui-ci',
  },
  unpack: {
    en: 'unpack it, or pack the file with gzip',
    fr: 'décompressez-le, ou compressez le fichier avec gzip',
  },
  tar: { en: 'a tar archive', fr: 'une archive tar' },
  sendInside: {
    en: 'send the file inside it, alone or packed with gzip',
    fr: 'envoyez le fichier qu’elle contient, seul ou compressé avec gzip',
  },
  gzipTwice: {
    en: 'packed with gzip more than once',
    fr: 'compressé plus d’une fois avec gzip',
  },
  packOnce: {
    en: 'unpack it, and pack it at most once',
    fr: 'décompressez-le, et compressez-le au plus une fois',
  },
  pdf: { en: 'a PDF document', fr: 'un document PDF' },
  image: { en: 'an image', fr: 'une image' },
  tableNeeded: { en: 'a table is needed', fr: 'il faut un tableau' },
  avro: { en: 'an Avro file', fr: 'un fichier Avro' },
  arrow: { en: 'an Arrow file', fr: 'un fichier Arrow' },
  sqlite: { en: 'an SQLite database', fr: 'une base de données SQLite' },
  otherArchive: {
    en: 'an archive packed with something other than gzip',
    fr: 'une archive compressée autrement qu’avec gzip',
  },
  program: { en: 'a program', fr: 'un programme' },
  webPage: { en: 'a web page (HTML)', fr: 'une page web (HTML)' },
  exportData: {
    en: 'export the data as CSV, JSON or .xlsx: what was saved is a page, perhaps a login form',
    fr: 'exportez les données en CSV, JSON ou .xlsx : ce qui a été enregistré est une page, peut-être un formulaire de connexion',
  },
  rtf: { en: 'an RTF document', fr: 'un document RTF' },
  mime: { en: 'a web page or a message in MIME', fr: 'une page web ou un message en MIME' },
  xml: { en: 'an XML or HTML document', fr: 'un document XML ou HTML' },
})
