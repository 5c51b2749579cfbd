import {
  butThereAre,
  compte,
  counted,
  defineMessages,
  fr,
  maisIlYA,
} from '../../../pipelines/index.ts'

/** What prevents a change to a generated table, or results from it. */
export const tableMessages = defineMessages('table', {
  dependents: {
    en: ({ count, named }: { count: number; named: readonly string[] }) => {
      const objects = count === 1 ? '1 object depends' : `${counted(count, '', 'objects')} depend`
      const names = named.map((name) => `“${name}”`).join(', ')
      if (named.length === 0) return `${objects} on it`
      return `${objects} on it${named.length < count ? ', among them' : ':'} ${names}`
    },
    fr: ({ count, named }) => {
      const verb = count < 2 ? 'en dépend' : 'en dépendent'
      const names = named.map((name) => fr`« ${name} »`).join(', ')
      const objects = `${compte(count, 'objet', 'objets')} ${verb}`
      if (named.length === 0) return objects
      return named.length < count ? `${objects}, dont ${names}` : fr`${objects} : ${names}`
    },
  },
  ruleBroken: {
    en: (is: { name: string; count: number; row: number; first: string }) =>
      `Rule “${is.name}”: ${counted(is.count, 'row breaks it', 'rows break it')}, first row ${is.row}: ${is.first}`,
    fr: (is) =>
      fr`Règle « ${is.name} » : ${compte(is.count, 'ligne l’enfreint', 'lignes l’enfreignent')}, d’abord la ligne ${is.row} : ${is.first}`,
  },
  ruleNotAsked: {
    en: ({ name, column }: { name: string; column: string }) =>
      `Rule “${name}” of the column “${column}” looks into another source, and was not asked without a database`,
    fr: ({ name, column }) =>
      fr`La règle « ${name} » de la colonne « ${column} » consulte une autre source : sans base de données, elle n’a pas été vérifiée`,
  },
  columnInUse: {
    en: (is: { name: string; column: string; from: string; to: string; dependents: string }) =>
      `The column “${is.name}” (${is.column}) cannot become ${is.to}: it is ${is.from}, and ${is.dependents}`,
    fr: (is) =>
      fr`La colonne « ${is.name} » (${is.column}) ne peut pas devenir ${is.to} : elle est ${is.from}, et ${is.dependents}`,
  },
  columnLeft: {
    en: (is: { name: string; column: string; dependents: string }) =>
      `The column “${is.name}” (${is.column}) cannot leave: ${is.dependents}`,
    fr: (is) => fr`La colonne « ${is.name} » (${is.column}) ne peut pas partir : ${is.dependents}`,
  },
  tableInUse: {
    en: ({ table, dependents }: { table: string; dependents: string }) =>
      `The table ${table} cannot be dropped: ${dependents}`,
    fr: ({ table, dependents }) => fr`La table ${table} ne peut pas être supprimée : ${dependents}`,
  },
  droppedByOthers: {
    en: ({ table }: { table: string }) =>
      `The table ${table}, or a part of it, was dropped or detached by others, with rows that were to stay; reload the source`,
    fr: ({ table }) =>
      fr`La table ${table}, ou une partie d’elle, a été supprimée ou détachée par d’autres, avec des lignes qui devaient rester ; rechargez la source`,
  },
  renamedByOthers: {
    en: ({ table, now }: { table: string; now: string | null }) =>
      now === null
        ? `The table ${table} was moved to another schema by others: move it back`
        : `The table ${table} was renamed to ${now} by others: rename it back`,
    fr: ({ table, now }) =>
      now === null
        ? fr`La table ${table} a été déplacée par d’autres dans un autre schéma : remettez-la à sa place`
        : fr`La table ${table} a été renommée ${now} par d’autres : rendez-lui son nom`,
  },
  changedByOthers: {
    en: ({ table }: { table: string }) =>
      `Others have changed the table ${table}: it was dropped or renamed, lacks a column, or belongs to somebody else. Put that back, or reload the source`,
    fr: ({ table }) =>
      fr`D’autres ont modifié la table ${table} : elle a été supprimée ou renommée, une colonne lui manque, ou elle appartient à quelqu’un d’autre. Rétablissez-la, ou rechargez la source`,
  },
  schemaOfOthers: {
    en: ({ schema }: { schema: string }) =>
      `The schema ${schema} belongs to others, who could drop what is made in it. An administrator of the database gives it to the service’s role (alter schema ${schema} owner to …), or drops it`,
    fr: ({ schema }) =>
      fr`Le schéma ${schema} appartient à d’autres, qui pourraient supprimer ce qu’on y crée. Un administrateur de la base le donne au rôle du service (alter schema ${schema} owner to …), ou le supprime`,
  },
  notPermitted: {
    en: 'The service may not do that in the database: the table belongs to somebody else, or a table that a reference connects with it does. Give the service’s role `select` on the one that refers to it, `references` on the one it refers to',
    fr: 'Le service n’en a pas le droit dans la base de données : la table appartient à quelqu’un d’autre, ou une table qu’une référence lui relie. Donnez au rôle du service `select` sur celle qui s’y réfère, `references` sur celle à laquelle elle se réfère',
  },
  othersForbid: {
    en: 'What others have done to the table prevents the change: a part of it is gone or belongs to them, or a publication leaves out what identifies its rows',
    fr: 'Ce que d’autres ont fait de la table ne permet pas de la modifier : une partie en a disparu ou est à eux, ou une publication n’envoie pas ce qui désigne ses lignes',
  },
  columnsUsedUp: {
    en: 'The table has had as many columns as PostgreSQL allows over the life of a table, including those that are gone: delete the source and create it again',
    fr: 'La table a eu autant de colonnes que PostgreSQL en compte dans la vie d’une table, y compris celles qui ont disparu : supprimez la source et créez-la à nouveau',
  },
  othersDepend: {
    en: 'Objects of others depend on what would have to be dropped',
    fr: 'D’autres dépendent de ce qui devrait disparaître',
  },
  notUpgraded: {
    en: 'The table is still as an earlier version made it: a view, a reference or a publication of another role depends on it. The operator of the service finds it with “cli upgrade --check”',
    fr: fr`La table est encore telle qu’une version antérieure l’a faite : une vue, une référence ou une publication d’un autre rôle en dépend. L’exploitant du service la trouve avec « cli upgrade --check »`,
  },
  referenceForbids: {
    en: 'A reference that others have made to or from the table prevents the change',
    fr: 'Une référence faite par d’autres vers la table, ou depuis elle, interdit la modification',
  },
  referredToByOthers: {
    en: (is: { table: string; owner: string; tables: readonly string[]; count: number }) => {
      const named = is.tables.map((name) => `“${name}”`).join(', ')
      const from = is.tables.length < is.count ? counted(is.count, 'table', 'tables') : named
      return `A foreign key of others leads to ${is.table} from ${from}: what they attached there would run with the rights of the service, or in its sessions. Give what refers to ${is.table} to the role of the enterprise (alter table … owner to ${is.owner}), with types of PostgreSQL alone, no forced policies, and no triggers or defaults of others where its rows change as well, or drop the foreign key`
    },
    fr: (is) => {
      const named = is.tables.map((name) => fr`« ${name} »`).join(', ')
      const from = is.tables.length < is.count ? compte(is.count, 'table', 'tables') : named
      return fr`Une clé étrangère faite par d’autres mène à ${is.table} depuis ${from} : ce qu’ils y ont attaché s’exécuterait avec les droits du service, ou dans ses sessions. Donnez au rôle de l’entreprise ce qui se réfère à ${is.table} (alter table … owner to ${is.owner}), avec des types de PostgreSQL seulement, sans politique forcée, et sans déclencheurs ni valeurs par défaut d’autres là où ses lignes changent aussi, ou supprimez la clé étrangère`
    },
  },
  attachedByOthers: {
    en: ({ table, named }: { table: string; named: readonly string[] }) =>
      `Others have attached to ${table} what would run with the rights of the service: ${named.map((name) => `“${name}”`).join(', ')}. Drop it, or give the functions and types that it uses to the role of the service or a superuser (alter function … owner to …); rules, forced policies and a view in the place of the table have to go`,
    fr: ({ table, named }) =>
      fr`D’autres ont attaché à ${table} ce qui s’exécuterait avec les droits du service : ${named.map((name) => fr`« ${name} »`).join(', ')}. Supprimez-le, ou donnez au rôle du service ou à un superutilisateur les fonctions et les types qu’il utilise (alter function … owner to …) ; les règles, les politiques forcées et une vue à la place de la table doivent partir`,
  },
  conditionForbids: {
    en: 'A condition that others have put on the table rules out some of the rows',
    fr: 'Une condition posée par d’autres sur la table interdit certaines des lignes',
  },
  readForTooLong: {
    en: 'Others read the table for too long; nothing was changed',
    fr: 'D’autres lisent la table depuis trop longtemps ; rien n’a été modifié',
  },
  keyRepeated: {
    en: ({ key, value }: { key: string; value: string }) =>
      `The key “${key}” is not unique in the table: “${value}” occurs there more than once`,
    fr: ({ key, value }) =>
      fr`La clé « ${key} » n’est pas unique dans la table : « ${value} » y figure plusieurs fois`,
  },
  aDefault: { en: 'a default value', fr: 'une valeur par défaut' },
  noTable: {
    en: ({ schema, table }: { schema: string; table: string }) =>
      `There is no table ${schema}.${table}`,
    fr: ({ schema, table }) => `Il n’y a pas de table ${schema}.${table}`,
  },
  nothingGoesIn: {
    en: ({ table }: { table: string }) => `No column of the file goes into ${table}`,
    fr: ({ table }) => `Aucune colonne du fichier ne va dans ${table}`,
  },
  noColumnFor: {
    en: ({ table, name, known }: { table: string; name: string; known: readonly string[] }) =>
      `The table ${table} has no column for the header “${name}”: name one of ${known.join(', ')} (--map "${name}=…"), or leave it out (--map "${name}=")`,
    fr: ({ table, name, known }) =>
      fr`La table ${table} n’a pas de colonne pour l’en-tête « ${name} » : nommez-en une parmi ${known.join(', ')} (--map "${name}=…"), ou laissez-le de côté (--map "${name}=")`,
  },
  noSuchColumn: {
    en: ({ table, column, known }: { table: string; column: string; known: readonly string[] }) =>
      `The table ${table} has no column ${column}, but ${known.join(', ')}`,
    fr: ({ table, column, known }) =>
      `La table ${table} n’a pas de colonne ${column}, mais ${known.join(', ')}`,
  },
  noHeader: {
    en: ({ name, known }: { name: string; known: readonly string[] }) =>
      `The file has no header “${name}”${butThereAre(known)}`,
    fr: ({ name, known }) => fr`Le fichier n’a pas d’en-tête « ${name} »${maisIlYA(known)}`,
  },
  columnTwice: {
    en: ({ column, names }: { column: string; names: readonly string[] }) =>
      `The headers ${names.map((one) => `“${one}”`).join(' and ')} go into the same column ${column}: leave one of them out (--map "${names.at(-1)}=")`,
    fr: ({ column, names }) =>
      fr`Les en-têtes ${names.map((one) => fr`« ${one} »`).join(' et ')} vont dans la même colonne ${column} : laissez l’un d’eux de côté (--map "${names.at(-1)!}=")`,
  },
  unknownType: {
    en: ({ column, type }: { column: string; type: string }) =>
      `The column ${column} has the type ${type}, which a load does not fill`,
    fr: ({ column, type }) =>
      `La colonne ${column} est du type ${type}, qu’un chargement ne remplit pas`,
  },
  notALoad: {
    en: ({ table, missing }: { table: string; missing: string }) =>
      `The table ${table} was not made by a load: it has no ${missing}. Choose another name, drop it, or add rows to it as it is (--into)`,
    fr: ({ table, missing }) =>
      fr`La table ${table} n’a pas été créée par un chargement : elle n’a pas de ${missing}. Choisissez un autre nom, supprimez-la, ou ajoutez-lui des lignes telle qu’elle est (--into)`,
  },
})
