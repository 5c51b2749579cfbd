import { compte, counted, fr } from '../core/language.ts'
import { defineMessages } from '../core/message.ts'

/** Why a load has as many COPY streams as it has. */
export const streamMessages = defineMessages('streams', {
  said: {
    en: 'This number was asked for',
    fr: 'C’est le nombre demandé',
  },
  littleWal: {
    en: 'The server keeps little WAL: rows that come in the same transaction as their table need none',
    fr: 'Le serveur conserve peu de WAL\u00a0: des lignes écrites dans la même transaction que leur table n’en demandent pas',
  },
  elsewhere: {
    en: 'The database is on another machine, and two backends can keep up with one engine',
    fr: 'La base de données est sur une autre machine, et deux processus y suivent un moteur',
  },
  here: {
    en: ({ cores, busy }: { cores: number; busy: number }) =>
      `The database is on this machine, which has ${counted(cores, 'core', 'cores')}; the engine takes one, ` +
      `and ${counted(busy, 'other statement is', 'other statements are')} at work`,
    fr: ({ cores, busy }) =>
      fr`La base de données est sur cette machine, qui a ${compte(cores, 'cœur', 'cœurs')} ; le moteur en prend un, et le nombre d’autres requêtes en cours est de ${busy}`,
  },
  noConnections: {
    en: ({ wanted }: { wanted: number }) =>
      `${wanted} were wanted, but no more connections were available`,
    fr: ({ wanted }) => `${wanted} étaient souhaités, et il n’y avait pas d’autre connexion`,
  },
})
