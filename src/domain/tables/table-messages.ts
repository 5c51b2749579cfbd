import { compte, counted, defineMessages, fr } from '../../../pipelines/index.ts'

export const tableMessages = defineMessages('table', {
  dependents: {
    en: ({ count }: { count: number }) =>
      `${counted(count, 'object depends', 'objects depend')} on it`,
    fr: ({ count }) => compte(count, 'objet en dépend', 'objets en dépendent'),
  },
  dependentsNamed: {
    en: ({ count, names }: { count: number; names: readonly string[] }) =>
      `${counted(count, 'object depends', 'objects depend')} on it: ${names.map((name) => `“${name}”`).join(', ')}`,
    fr: ({ count, names }) =>
      fr`${compte(count, 'objet en dépend', 'objets en dépendent')} : ${names.map((name) => fr`« ${name} »`).join(', ')}`,
  },
  dependentsAmong: {
    en: ({ count, names }: { count: number; names: readonly string[] }) =>
      `${counted(count, 'object depends', 'objects depend')} on it, among them ${names.map((name) => `“${name}”`).join(', ')}`,
    fr: ({ count, names }) =>
      fr`${compte(count, 'objet en dépend', 'objets en dépendent')}, dont ${names.map((name) => fr`« ${name} »`).join(', ')}`,
  },
  keyTwice: {
    en: ({ header, key }: { header: string; key: string }) =>
      `The key “${header}” is not unique in the table: “${key}” stands there more than once`,
    fr: ({ header, key }) =>
      fr`La clé « ${header} » n’est pas unique dans la table : « ${key} » y figure plus d’une fois`,
  },
  typeNotFilled: {
    en: ({ column, type }: { column: string; type: string }) =>
      `The column ${column} has the type ${type}, which a load does not fill`,
    fr: ({ column, type }) =>
      `La colonne ${column} est du type ${type}, qu’un chargement ne remplit pas`,
  },
  notALoad: {
    en: ({ table, column }: { table: string; column: string }) =>
      `The table ${table} was not made by a load: it has no ${column}. Choose another name, or drop it`,
    fr: ({ table, column }) =>
      fr`La table ${table} n’a pas été créée par un chargement : elle n’a pas de ${column}. Choisissez un autre nom, ou supprimez-la`,
  },
  columnInUse: {
    en: ({
      name,
      column,
      wanted,
      present,
      dependents,
    }: {
      name: string
      column: string
      wanted: string
      present: string
      dependents: string
    }) =>
      `The column “${name}” (${column}) cannot become ${wanted}: it is ${present}, and ${dependents}`,
    fr: ({ name, column, wanted, present, dependents }) =>
      fr`La colonne « ${name} » (${column}) ne peut pas devenir ${wanted} : elle est ${present}, et ${dependents}`,
  },
})
