import { defineMessages, fr } from '../../../pipelines/index.ts'

export const sourceMessages = defineMessages('source', {
  versionWithoutShape: {
    en: 'has to name the shape whose version `If-Match` names',
    fr: 'doit nommer le gabarit dont `If-Match` nomme la version',
  },
  mappingWithoutShape: {
    en: 'goes with `shapeUuid`: a new source has no columns yet',
    fr: 'va avec `shapeUuid` : une nouvelle source n’a pas encore de colonnes',
  },
  lookedUp: {
    en: ({ names }: { names: readonly string[] }) =>
      `Rules look its values up, of: ${names.join(', ')}`,
    fr: ({ names }) => fr`Des règles consultent ses valeurs, celles de : ${names.join(', ')}`,
  },
  unknownReject: {
    en: ({ id, row, line }: { id: string; row: number; line: number }) =>
      `names the reject ${id} in row ${row} (line ${line}), which the source does not have now: download its rejects again`,
    fr: ({ id, row, line }) =>
      fr`nomme le rejet ${id} à la ligne de données ${row} (ligne ${line}), que la source n’a pas actuellement : téléchargez de nouveau ses rejets`,
  },
  foreignTable: {
    en: ({ schema, table }: { schema: string; table: string }) =>
      `The schema ${schema} already has a ${table}, which belongs to no source`,
    fr: ({ schema, table }) =>
      `Le schéma ${schema} contient déjà ${table}, qui n’appartient à aucune source`,
  },
  tableTaken: {
    en: ({ table }: { table: string }) => `The enterprise already has a table ${table}`,
    fr: ({ table }) => `L’entreprise a déjà une table ${table}`,
  },
  otherEnterprise: {
    en: 'is not the enterprise of the connection',
    fr: 'n’est pas l’entreprise de la connexion',
  },
  brokenCsv: {
    en: ({ line }: { line: number }) => `The CSV is broken near line ${line}.`,
    fr: ({ line }) => `Le CSV est défectueux près de la ligne ${line}.`,
  },
  notCsv: {
    en: 'must be a CSV or a workbook (.xlsx), like the one in which the rejects were downloaded',
    fr: 'doit être un CSV ou un classeur (.xlsx), comme celui dans lequel les rejets ont été téléchargés',
  },
  wideRow: {
    en: ({
      row,
      line,
      fields,
      columns,
    }: {
      row: number
      line: number
      fields: number
      columns: number
    }) => `Row ${row} (line ${line}): ${fields} fields where there are ${columns} columns.`,
    fr: ({ row, line, fields, columns }) =>
      fr`Ligne de données ${row} (ligne ${line}) : ${fields} champs pour ${columns} colonnes.`,
  },
  firstLoad: {
    en: 'The source is being loaded for the first time',
    fr: 'La source est en cours de premier chargement',
  },
  notAHeader: {
    en: 'must be the header of a column',
    fr: 'doit être l’en-tête d’une colonne',
  },
  fileNotKept: {
    en: 'The file of this source is not kept; send it again',
    fr: 'Le fichier de cette source n’est pas conservé ; envoyez-le de nouveau',
  },
  noFileForApi: {
    en: 'is not taken: the source is read from its connection',
    fr: 'n’est pas accepté : la source est lue depuis sa connexion',
  },
  runGivenUp: {
    en: 'The run was abandoned before its rows were loaded',
    fr: 'L’exécution a été abandonnée avant que ses lignes soient là',
  },
  deleted: {
    en: 'The source and its table were deleted',
    fr: 'La source et sa table ont été supprimées',
  },
})

export const changesMessages = defineMessages('changes', {
  tookTooLong: {
    en: 'The comparison took longer than 10 minutes',
    fr: 'La comparaison a duré plus de 10 minutes',
  },
  noneStaged: {
    en: 'is required: no load of the source is staged',
    fr: 'est obligatoire : aucun chargement de la source n’est en attente',
  },
  severalStaged: {
    en: ({ uuids }: { uuids: readonly string[] }) =>
      `is required: several loads are staged (${uuids.join(', ')})`,
    fr: ({ uuids }) =>
      fr`est obligatoire : plusieurs chargements sont en attente (${uuids.join(', ')})`,
  },
  tooFast: {
    en: 'The source changes faster than it can be compared',
    fr: 'La source change plus vite qu’elle ne peut être comparée',
  },
  upgrading: {
    en: 'The source is being upgraded',
    fr: 'La source est en cours de mise à niveau',
  },
  before: { en: 'the state compared with', fr: 'l’état de référence' },
  after: { en: 'the state compared', fr: 'l’état comparé' },
  notAHeaderOf: {
    en: ({ state }: { state: string }) => `must be the header of a column that ${state} has`,
    fr: ({ state }) => fr`doit être l’en-tête d’une colonne ; ${state} n’en a pas de ce nom`,
  },
  keyBlank: {
    en: ({ key, state }: { key: string; state: string }) =>
      `must identify each row: a row of ${state} leaves “${key}” empty`,
    fr: ({ key, state }) =>
      fr`doit distinguer les lignes : dans ${state}, une ligne laisse « ${key} » vide`,
  },
  keyRepeats: {
    en: ({ key, value, state }: { key: string; value: string; state: string }) =>
      `must identify each row: “${value}” occurs more than once in “${key}” of ${state}`,
    fr: ({ key, value, state }) =>
      fr`doit distinguer les lignes : dans ${state}, « ${value} » figure plusieurs fois dans « ${key} »`,
  },
})
