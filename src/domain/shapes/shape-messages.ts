import { compte, counted, defineMessages, fr } from '../../../pipelines/index.ts'

/** What is another in a shape, or in one of its columns. */
export const shapePartMessages = defineMessages('shapePart', {
  added: { en: 'new', fr: 'nouvelle' },
  removed: { en: 'taken out', fr: 'retirée' },
  name: { en: 'the name', fr: 'le nom' },
  type: { en: 'the type', fr: 'le type' },
  dateFormat: { en: 'the format of dates', fr: 'le format des dates' },
  pattern: { en: 'the pattern of dates', fr: 'le modèle des dates' },
  description: { en: 'the description', fr: 'la description' },
  aliases: { en: 'other headers', fr: 'les autres en-têtes' },
  rules: { en: 'the rules', fr: 'les règles' },
  unknown: { en: 'what becomes of unknown headers', fr: 'le sort des en-têtes inconnus' },
  missing: { en: 'what becomes of missing columns', fr: 'le sort des colonnes manquantes' },
  left: { en: 'the headers that are left out', fr: 'les en-têtes laissés de côté' },
})

/** Why a shape is refused, and what is said of one. */
export const shapeMessages = defineMessages('shape', {
  oneOrigin: {
    en: 'must have one of `columns`, `fromSource` and `tableSchema`',
    fr: 'doit avoir l’un de `columns`, `fromSource` et `tableSchema`',
  },
  nameTwice: {
    en: ({ name }: { name: string }) => `is the name of another column: “${name}”`,
    fr: ({ name }) => fr`est le nom d’une autre colonne : « ${name} »`,
  },
  columnTwice: {
    en: ({ column }: { column: string }) => `names the column “${column}” a second time`,
    fr: ({ column }) => fr`nomme une deuxième fois la colonne « ${column} »`,
  },
  noSuchColumn: {
    en: ({ column }: { column: string }) =>
      `is no column of the shape: “${column}”; a new column has none yet`,
    fr: ({ column }) =>
      fr`n’est pas une colonne du gabarit : « ${column} » ; une nouvelle colonne n’en a pas encore`,
  },
  noSqlName: {
    en: ({ column }: { column: string }) =>
      `is too long in PostgreSQL, or the name of a column that every table has: “${column}”`,
    fr: ({ column }) =>
      fr`est trop long dans PostgreSQL, ou le nom d’une colonne que toute table possède : « ${column} »`,
  },
  aliasTwice: {
    en: ({ alias, name }: { alias: string; name: string }) =>
      `is an alias of the column “${name}” already: “${alias}”`,
    fr: ({ alias, name }) => fr`est déjà un alias de la colonne « ${name} » : « ${alias} »`,
  },
  largePatterns: {
    en: ({ most }: { most: number }) =>
      `ask for expressions of more than ${counted(most, 'step', 'steps')}, once their repetitions are written out`,
    fr: ({ most }) =>
      fr`demandent des expressions de plus de ${compte(most, 'étape', 'étapes')}, une fois leurs répétitions écrites`,
  },
  manyAliases: {
    en: ({ count, most }: { count: number; most: number }) =>
      `have ${counted(count, 'alias', 'aliases')}; a shape remembers at most ${most}`,
    fr: ({ count, most }) =>
      fr`ont ${compte(count, 'alias', 'alias')} ; un gabarit en retient au plus ${most}`,
  },
  enterpriseOfSource: {
    en: 'is not the enterprise of the source',
    fr: 'n’est pas l’entreprise de la source',
  },
  ownHasNoName: {
    en: 'is for shapes that are shared; POST /shapes with `fromSource` makes one of this',
    fr: 'est pour les gabarits partagés ; POST /shapes avec `fromSource` en fait un de celui-ci',
  },
  noLookUp: {
    en: ({ name }: { name: string }) => `names no column of that source: “${name}”`,
    fr: ({ name }) => fr`ne nomme aucune colonne de cette source : « ${name} »`,
  },
  dateFormatOfDate: {
    en: 'is for columns of dates, `dateFormat` or `pattern`',
    fr: 'est pour les colonnes de dates, `dateFormat` ou `pattern`',
  },
  inUse: {
    en: ({ count, names }: { count: number; names: readonly string[] }) =>
      `${counted(count, 'source uses', 'sources use')} the shape: ${names.join(', ')}`,
    fr: ({ count, names }) =>
      fr`${compte(count, 'source utilise', 'sources utilisent')} le gabarit : ${names.join(', ')}`,
  },
  ownInUse: {
    en: 'It is the shape of a source, and goes with it.',
    fr: 'C’est le gabarit d’une source, et il disparaît avec elle.',
  },
  movedOn: {
    en: ({ version }: { version: number }) =>
      `The shape has changed in the meantime; it is at version ${version}.`,
    fr: ({ version }) => fr`Le gabarit a changé entre-temps ; il en est à la version ${version}.`,
  },
  movedOnBy: {
    en: ({ version, changes }: { version: number; changes: readonly string[] }) =>
      `The shape has changed in the meantime; it is at version ${version}: ${changes.join('; ')}.`,
    fr: ({ version, changes }) =>
      fr`Le gabarit a changé entre-temps ; il en est à la version ${version} : ${changes.join('\u00a0; ')}.`,
  },
  changedColumn: {
    en: ({ column, what }: { column: string; what: string }) => `“${column}” (${what})`,
    fr: ({ column, what }) => fr`« ${column} » (${what})`,
  },
  renamedColumn: {
    en: ({ column, before }: { column: string; before: string }) =>
      `“${before}” is called “${column}”`,
    fr: ({ column, before }) => fr`« ${before} » s’appelle « ${column} »`,
  },
  asked: {
    en: ({ questions }: { questions: readonly string[] }) => questions.join('; '),
    fr: ({ questions }) => questions.join('\u00a0; '),
  },
  mayBe: {
    en: ({ header, column }: { header: string; column: string }) =>
      `the header “${header}” may be the column “${column}”`,
    fr: ({ header, column }) => fr`l’en-tête « ${header} » est peut-être la colonne « ${column} »`,
  },
  noHeader: {
    en: ({ column }: { column: string }) => `the column “${column}” has no header`,
    fr: ({ column }) => fr`la colonne « ${column} » n’a pas d’en-tête`,
  },
  nobodyKnows: {
    en: ({ header }: { header: string }) => `nobody knows the header “${header}”`,
    fr: ({ header }) => fr`personne ne connaît l’en-tête « ${header} »`,
  },
  templateSheet: { en: 'To fill in', fr: 'À remplir' },
  templateType: {
    en: ({ type }: { type: string }) => `Type: ${type}`,
    fr: ({ type }) => fr`Type : ${type}`,
  },
  removed: { en: 'The shape was deleted', fr: 'Le gabarit a été supprimé' },

  schemaNoFields: {
    en: 'has to list its columns, each with a name',
    fr: 'doit énumérer ses colonnes, chacune avec un nom',
  },
  schemaManyFields: {
    en: ({ most }: { most: number }) => `has more columns than a table can have: ${most}`,
    fr: ({ most }) => fr`a plus de colonnes qu’une table ne peut en avoir : ${most}`,
  },
  schemaLongName: {
    en: ({ most }: { most: number }) =>
      `must have at most ${counted(most, 'character', 'characters')}`,
    fr: ({ most }) => fr`doit avoir au plus ${compte(most, 'caractère', 'caractères')}`,
  },
  schemaUnknown: {
    en: ({ what, names }: { what: string; names: readonly string[] }) =>
      names.length === 1
        ? `“${what}” of the field “${names[0]!}” has no counterpart here, and was left out.`
        : `“${what}” has no counterpart here, and was left out of ${names.length} fields: ${names.map((name) => `“${name}”`).join(', ')}.`,
    fr: ({ what, names }) =>
      names.length === 1
        ? fr`« ${what} » du champ « ${names[0]!} » n’a pas d’équivalent ici, et n’a pas été repris.`
        : fr`« ${what} » n’a pas d’équivalent ici, et n’a pas été repris pour ${names.length} champs : ${names.map((name) => fr`« ${name} »`).join(', ')}.`,
  },
  schemaUnknownMember: {
    en: ({ members }: { members: readonly string[] }) =>
      `These members of the schema have no counterpart here, and were left out: ${members.map((name) => `“${name}”`).join(', ')}.`,
    fr: ({ members }) =>
      fr`Ces membres du schéma n’ont pas d’équivalent ici, et n’ont pas été repris : ${members.map((name) => fr`« ${name} »`).join(', ')}.`,
  },
  schemaReference: {
    en: ({ name }: { name: string }) =>
      `The pattern of the field “${name}” refers back to what it has found (\\1); any text of that group is taken there.`,
    fr: ({ name }) =>
      fr`Le motif du champ « ${name} » renvoie à ce qu’il a trouvé (\\1) ; tout texte de ce groupe y est admis.`,
  },
  schemaType: {
    en: ({ type, name }: { type: string; name: string }) =>
      `The type “${type}” of the field “${name}” is taken as text.`,
    fr: ({ type, name }) => fr`Le type « ${type} » du champ « ${name} » est pris comme du texte.`,
  },
  schemaFormat: {
    en: ({ format, name }: { format: string; name: string }) =>
      `The format “${format}” of the field “${name}” has no counterpart here; dates are recognised.`,
    fr: ({ format, name }) =>
      fr`Le format « ${format} » du champ « ${name} » n’a pas d’équivalent ici ; les dates sont reconnues.`,
  },
})
