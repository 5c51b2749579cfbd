/** Nothing of ours leaks into the database process: no PG* variables, no secrets, no locale. */
export function databaseEnvironment(): NodeJS.ProcessEnv {
  return {
    LC_ALL: 'C',
    TZ: 'UTC',
    PATH: process.env['PATH'],
    SYSTEMROOT: process.env['SYSTEMROOT'],
  }
}
