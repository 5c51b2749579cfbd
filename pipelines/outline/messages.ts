import type { KnownNames } from '../core/known-names.ts'
import { butThereAre, compte, counted, fr, maisIlYA } from '../core/language.ts'
import { defineMessages } from '../core/message.ts'

export const outlineMessages = defineMessages('outline', {
  otherTables: {
    en: ({ lines }: { lines: string }) =>
      `This sheet holds other tables, which were not read: lines ${lines}.`,
    fr: ({ lines }) =>
      fr`Cette feuille contient d’autres tableaux, qui n’ont pas été lus : lignes ${lines}.`,
  },
  tablesBeside: {
    en: ({ ranges }: { ranges: string }) =>
      `There are other tables beside this one, which were not read: ${ranges}, as far as the first rows show. If all columns belong to one table, say so with headerRow.`,
    fr: ({ ranges }) =>
      fr`D’autres tableaux se trouvent à côté de celui-ci, et n’ont pas été lus : ${ranges}, d’après les premières lignes. Si toutes les colonnes forment un seul tableau, indiquez-le par headerRow.`,
  },
  headerLooksLikeData: {
    en: 'The header looks like a row of data: if there is no header, say so with headerRow: 0.',
    fr: 'L’en-tête ressemble à une ligne de données : s’il n’y en a pas, indiquez headerRow 0.',
  },
  headerMayBeTitle: {
    en: ({ line }: { line: number }) =>
      `The header may be a title that its commas divide: if the names are in line ${line}, say so with headerRow.`,
    fr: ({ line }) =>
      fr`L’en-tête est peut-être un titre que ses virgules divisent : si les noms sont à la ligne ${line}, indiquez-le par headerRow.`,
  },
  takeHeaderIn: {
    en: ({ line }: { line: number }) => `Take line ${line} for the header.`,
    fr: ({ line }) => fr`Prendre la ligne ${line} pour l’en-tête.`,
  },
  noHeader: {
    en: 'The first row looks like a row of data, and was loaded as one: if it is the header, say so with headerRow.',
    fr: 'La première ligne ressemble à une ligne de données, et a été chargée comme telle : si c’est l’en-tête, indiquez-le par headerRow.',
  },
  headerAgain: {
    en: ({ times }: { times: number }) =>
      `The header comes again right below, word for word: ${counted(times, 'line was', 'lines were')} left out. If that is data, say so with headerRow.`,
    fr: ({ times }) =>
      fr`L’en-tête revient juste en dessous, mot pour mot : ${compte(times, 'ligne a été laissée', 'lignes ont été laissées')} de côté. S’il s’agit de données, indiquez-le par headerRow.`,
  },
  headerInside: {
    en: ({ times }: { times: number }) =>
      `The header is repeated among the rows, and was loaded as ${counted(times, 'row', 'rows')} of data. If another table begins there, load each of them with firstRow and lastRow.`,
    fr: ({ times }) =>
      fr`L’en-tête est répété parmi les lignes, et a été chargé comme ${compte(times, 'ligne', 'lignes')} de données. Si un autre tableau commence là, chargez chacun par firstRow et lastRow.`,
  },
  tablesJoined: {
    en: ({ count, lines }: { count: number; lines: string }) =>
      `${counted(count, 'more table was', 'more tables were')} read as rows of this one, and ${count === 1 ? 'begins at line' : 'begin at lines'} ${lines}. If they do not belong together, load each of them with firstRow and lastRow.`,
    fr: ({ count, lines }) =>
      fr`${compte(count, 'autre tableau a été lu', 'autres tableaux ont été lus')} comme des lignes de celui-ci, à partir ${count === 1 ? 'de la ligne' : 'des lignes'} ${lines}. S’ils ne vont pas ensemble, chargez chacun par firstRow et lastRow.`,
  },
  headings: {
    en: ({ count }: { count: number }) =>
      `${counted(count, 'row fills', 'rows fill')} the first column alone, above rows that fill others: ${count === 1 ? 'it' : 'they'} may be headings, and ${count === 1 ? 'was' : 'were'} loaded as ${count === 1 ? 'a row' : 'rows'}.`,
    fr: ({ count }) =>
      fr`${compte(count, 'ligne ne remplit', 'lignes ne remplissent')} que la première colonne, au-dessus de lignes qui en remplissent d’autres : peut-être ${count === 1 ? 'un intertitre, chargé comme une ligne' : 'des intertitres, chargés comme des lignes'}.`,
  },
  notesLeftOut: {
    en: ({ count, line }: { count: number; line: number }) =>
      `${counted(count, 'line', 'lines')} below the table, from line ${line} on, ${count === 1 ? 'was' : 'were'} left out as notes, but may be rows.`,
    fr: ({ count, line }) =>
      fr`Sous le tableau, ${compte(count, 'ligne a été laissée', 'lignes ont été laissées')} de côté comme notes à partir de la ligne ${line}, mais il peut s’agir de données.`,
  },
  headingsLeftOut: {
    en: ({ count, line }: { count: number; line: number }) =>
      `${counted(count, 'line', 'lines')} below the header, from line ${line} on, ${count === 1 ? 'was' : 'were'} left out as the heading of the rows that follow, but may be data.`,
    fr: ({ count, line }) =>
      fr`Sous l’en-tête, ${compte(count, 'ligne a été laissée', 'lignes ont été laissées')} de côté à partir de la ligne ${line} comme intertitre des lignes suivantes, mais il peut s’agir de données.`,
  },
  takeHeadings: {
    en: ({ line }: { line: number }) => `Let the rows begin at line ${line}.`,
    fr: ({ line }) => fr`Faire commencer les lignes à la ligne ${line}.`,
  },
  takeNotes: {
    en: 'Load the lines below the table as rows.',
    fr: 'Charger comme données les lignes sous le tableau.',
  },
  takeOther: {
    en: ({ line }: { line: number }) => `Read the table whose header is in line ${line}.`,
    fr: ({ line }) => fr`Lire le tableau dont l’en-tête est à la ligne ${line}.`,
  },
  takeWithoutHeader: {
    en: 'Read the header as a row of data.',
    fr: 'Lire l’en-tête comme une ligne de données.',
  },
  takeFirstRowAsHeader: {
    en: 'Take the first row for the header.',
    fr: 'Prendre la première ligne pour l’en-tête.',
  },
  noSuchColumn: {
    en: ({ name, known, others }: { name: string } & KnownNames) =>
      `There is no column “${name}” to be filled down${butThereAre(known, others)}.`,
    fr: ({ name, known, others }) =>
      fr`Il n’y a pas de colonne « ${name} » à compléter vers le bas${maisIlYA(known, others)}.`,
  },
})
