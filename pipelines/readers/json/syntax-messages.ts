import { compte, counted, fr } from '../../core/language.ts'
import { defineMessages } from '../../core/message.ts'

/** Syntax errors and limits of JSON, wherever it comes from: a file, or records from a connector. */
export const jsonSyntaxMessages = defineMessages('json-syntax', {
  malformed: {
    en: ({ place, offset, reason }: { place: string; offset: number; reason: string }) =>
      `Malformed JSON ${place}, at byte ${offset}: ${reason}`,
    fr: ({ place, offset, reason }) => fr`JSON mal formé ${place}, à l’octet ${offset} : ${reason}`,
  },
  onLine: {
    en: ({ line }: { line: number }) => `on line ${line}`,
    fr: ({ line }) => `à la ligne ${line}`,
  },
  onLineOfRow: {
    en: ({ line, row }: { line: number; row: number }) => `on line ${line} (row ${row})`,
    fr: ({ line, row }) => `à la ligne ${line} (ligne de données ${row})`,
  },
  inRow: {
    en: ({ row }: { row: number }) => `in row ${row}`,
    fr: ({ row }) => `dans la ligne de données ${row}`,
  },
  outsideRows: {
    en: 'outside the rows',
    fr: 'en dehors des lignes de données',
  },
  line: {
    en: ({ line }: { line: number }) => `Line ${line}`,
    fr: ({ line }) => `Ligne ${line}`,
  },
  besideRows: {
    en: 'Outside the rows',
    fr: 'En dehors des lignes de données',
  },
  inField: {
    en: ({ field, fault }: { field: string; fault: string }) => `“${field}”: ${fault}`,
    fr: ({ field, fault }) => fr`« ${field} » : ${fault}`,
  },
  inKey: {
    en: ({ fault }: { fault: string }) => `in a key, ${fault}`,
    fr: ({ fault }) => `dans une clé, ${fault}`,
  },

  expected: {
    en: ({ wanted, found }: { wanted: string; found: string }) =>
      `expected ${wanted} but found ${found}`,
    fr: ({ wanted, found }) => fr`attendu : ${wanted} ; trouvé : ${found}`,
  },
  noComments: {
    en: ({ fault }: { fault: string }) => `${fault}; JSON has no comments`,
    fr: ({ fault }) => fr`${fault} ; le JSON n’a pas de commentaires`,
  },
  sign: {
    en: ({ sign }: { sign: string }) => `“${sign}”`,
    fr: ({ sign }) => fr`« ${sign} »`,
  },
  control: {
    en: ({ code }: { code: string }) => `the control character ${code}`,
    fr: ({ code }) => `le caractère de contrôle ${code}`,
  },
  endOfInput: { en: 'the end of the input', fr: 'la fin de l’entrée' },
  end: { en: 'the end', fr: 'la fin' },
  notClosed: {
    en: 'the object is not closed at the end of its line',
    fr: 'l’objet n’est pas fermé à la fin de sa ligne',
  },
  commaOr: {
    en: ({ sign }: { sign: string }) => `“,” or “${sign}”`,
    fr: ({ sign }) => fr`« , » ou « ${sign} »`,
  },
  commaOrAfterRow: {
    en: ({ sign }: { sign: string }) => `“,” or “${sign}” after a row`,
    fr: ({ sign }) => fr`« , » ou « ${sign} » après une ligne de données`,
  },
  endOfString: { en: 'the end of a string', fr: 'la fin d’un texte' },
  endOfLine: { en: 'the end of the line', fr: 'la fin de la ligne' },
  escape: { en: 'an escape', fr: 'une séquence d’échappement' },
  hexadecimals: {
    en: 'four hexadecimal digits after \\u',
    fr: 'quatre chiffres hexadécimaux après \\u',
  },
  digit: { en: 'a digit', fr: 'un chiffre' },
  value: { en: 'a value', fr: 'une valeur' },
  key: { en: 'a key in double quotes', fr: 'une clé entre guillemets droits' },
  document: { en: 'a document', fr: 'un document' },
  row: { en: 'a row', fr: 'une ligne de données' },

  string: { en: 'a string', fr: 'un texte' },
  object: { en: 'an object', fr: 'un objet' },
  array: { en: 'an array', fr: 'un tableau' },
  null: { en: 'null', fr: 'la valeur null' },
  number: { en: 'a number', fr: 'un nombre' },
  boolean: { en: 'a boolean', fr: 'un booléen' },

  misfit: {
    en: ({ wanted, found }: { wanted: string; found: string }) =>
      `a row must be ${wanted}, not ${found}`,
    fr: ({ wanted, found }) => `une ligne de données doit être ${wanted}, et non ${found}`,
  },
  rowWidth: {
    en: ({ columns, values }: { columns: number; values: number }) =>
      `a row must have ${counted(columns, 'value', 'values')}, like the header, not ${values}`,
    fr: ({ columns, values }) =>
      `une ligne de données doit avoir ${compte(columns, 'valeur', 'valeurs')}, comme l’en-tête, et non ${values}`,
  },
  nested: {
    en: ({ most }: { most: number }) => `nested more than ${most} deep`,
    fr: ({ most }) => `plus de ${compte(most, 'niveau imbriqué', 'niveaux imbriqués')}`,
  },
  longKey: {
    en: ({ most }: { most: number }) => `one key is longer than ${most} bytes`,
    fr: ({ most }) => `une clé dépasse ${compte(most, 'octet', 'octets')}`,
  },
  longValue: {
    en: ({ most }: { most: number }) => `one value is longer than ${most} bytes`,
    fr: ({ most }) => `une valeur dépasse ${compte(most, 'octet', 'octets')}`,
  },
  longRow: {
    en: ({ most }: { most: number }) => `one row is larger than ${most} bytes`,
    fr: ({ most }) => `une ligne de données dépasse ${compte(most, 'octet', 'octets')}`,
  },
  manyLevels: {
    en: 'one value is too long to put its many levels in order',
    fr: 'une valeur est trop longue pour que ses nombreux niveaux soient mis en ordre',
  },
  manyMembers: {
    en: ({ most }: { most: number }) => `an object with more than ${most} members`,
    fr: ({ most }) => `un objet a plus de ${compte(most, 'membre', 'membres')}`,
  },
  manyColumns: {
    en: ({ most }: { most: number }) => `more than ${most} columns, which no table can hold`,
    fr: ({ most }) =>
      `plus de ${compte(most, 'colonne', 'colonnes')}, ce qu’aucune table ne peut contenir`,
  },
  largeValues: {
    en: ({ most }: { most: number }) => `with this one the values take more than ${most} bytes`,
    fr: ({ most }) => `avec celle-ci, les valeurs dépassent ${compte(most, 'octet', 'octets')}`,
  },
  farRows: {
    en: ({ bytes }: { bytes: number }) =>
      `no rows within the first ${bytes} bytes; the option path can name them`,
    fr: ({ bytes }) =>
      fr`aucune ligne de données dans les premiers ${compte(bytes, 'octet', 'octets')} ; l’option path peut dire où elles sont`,
  },
})
