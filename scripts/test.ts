/**
 * `npm test`: all tests, or those of tables and their loads where TEST_CITUS_URL names a cluster for them
 * to lie on. Mocha is begun here and reads its arguments itself.
 */
// In this order: what takes long comes first, so that no lane is left with it alone at the end.
const ALL = ['test/trust/*.test.ts', 'test/*.test.ts', 'test/!(trust)/**/*.test.ts']

/**
 * Not tables-of-others.test.ts: Citus itself refuses half of what is made of tables there. Nor
 * rows-taken-out-of-a-merge.test.ts: it locks a partition, for which Citus has an append wait.
 */
const ON_A_CLUSTER = [
  'test/http/sources/{source,same-table,old-loads,json-tables}*.test.ts',
  'test/http/{jobs/job,workflows/workflow}*.test.ts',
  'test/jobs/*.test.ts',
]

const files = process.env['TEST_CITUS_URL'] === undefined ? ALL : ON_A_CLUSTER
process.argv.splice(2, 0, '--parallel', ...files)
// Lanes get the options of this process. What lives for one test is thrown away before it counts as old.
process.execArgv.push('--max-semi-space-size=64')
await import(import.meta.resolve('mocha/bin/mocha.js'))
