/**
 * PostgreSQL's settings, given on its command line at each start so that they are always those of
 * the code that runs. Tuned for bulk loads on a small machine.
 */
export function serverSettings(ephemeral: boolean): Readonly<Record<string, string>> {
  return { ...SETTINGS, ...(ephemeral ? EPHEMERAL : {}) }
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // Socket paths have a length limit that a deep DATA_DIR exceeds.
  unix_socket_directories: '',
  max_connections: '100',
  // For the service's own role: whoever else signs in shares what is left.
  reserved_connections: '50',
  shared_buffers: '128MB',
  maintenance_work_mem: '64MB',
  // With no replicas, a COPY into a table of the same transaction needs no WAL.
  wal_level: 'minimal',
  max_wal_senders: '0',
  // What a crash makes the next start replay: at most a few seconds' worth.
  max_wal_size: '512MB',
  checkpoint_timeout: '15min',
  synchronous_commit: 'on',
  // Compiling costs more than it saves on queries that take milliseconds.
  jit: 'off',
  // A long query ends soon after the process that asked for it was killed.
  client_connection_check_interval: '1s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // What goes wrong in a statement is told to whoever sent it, values and all; the log keeps only
  // what concerns the server.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
} as const

/** For data that nobody needs after the process: tests. */
const EPHEMERAL = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  max_wal_size: '512MB',
} as const

export function asArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
