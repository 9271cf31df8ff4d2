import type { ErrorCode } from '@parquetry/model'

/** Failures of a database, of the way to it, or for lack of time: another attempt may succeed. */
export const unreachable: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'connection_failed',
  'connection_username',
  'connection_password',
  'connection_hostname',
  'connection_port_closed',
  'connection_database',
  'connection_missing',
  'query_timeout',
  'query_stopped',
  'runner_lost',
  'unavailable',
  'source_busy',
  'queries_waiting',
])
