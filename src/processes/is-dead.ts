/**
 * SQL that is true where the process of that number is dead. The one answer for all that a process
 * can leave behind: a living process has a row, and `remove-dead.ts` alone decides when it loses it.
 * Who has no number is owned by nobody, and dead, too.
 */
export const isDead = (column: string): string =>
  `not exists (select from processes where processes.id = ${column})`
