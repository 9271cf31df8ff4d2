/**
 * Every failure that a user can encounter, by code. An expected failure is thrown as an AppError where the operation is known and
 * handled only in `apps/server/src/http/error-handler.ts`, which writes it in the error form of the route.
 *
 * `status` is the HTTP status, `type` the API's `error_type` (Superset's SIP-40 list), `issues` its issue codes.
 */
export const errorCodes = {
  bad_request: { status: 400, type: 'GENERIC_COMMAND_ERROR', issues: [1010], message: 'The request is not valid.' },
  invalid_payload: {
    status: 400,
    type: 'INVALID_PAYLOAD_SCHEMA_ERROR',
    issues: [1020],
    message: 'The request body is not valid.',
  },
  /** Invalid `q` parameter; uses the plain form on every route. */
  invalid_rison: {
    status: 400,
    type: 'GENERIC_COMMAND_ERROR',
    issues: [1010],
    message: 'Not a valid rison/json argument',
  },
  not_json: { status: 400, type: 'INVALID_PAYLOAD_FORMAT_ERROR', issues: [1019], message: 'Request is not JSON' },
  csrf: {
    status: 400,
    type: 'GENERIC_BACKEND_ERROR',
    issues: [1011],
    message: '400 Bad Request: The CSRF token is missing.',
  },
  not_signed_in: { status: 401, type: 'GENERIC_BACKEND_ERROR', issues: [1011], message: 'Not authorized' },
  forbidden: { status: 403, type: 'GENERIC_BACKEND_ERROR', issues: [1011], message: 'Forbidden' },
  missing_ownership: { status: 403, type: 'MISSING_OWNERSHIP_ERROR', issues: [], message: 'Forbidden' },
  not_found: { status: 404, type: 'GENERIC_BACKEND_ERROR', issues: [1011], message: 'Not found' },
  /** No matching route, or an impossible id in the path. */
  no_such_address: {
    status: 404,
    type: 'GENERIC_BACKEND_ERROR',
    issues: [1011],
    message:
      '404 Not Found: The requested URL was not found on the server. If you entered the URL manually please check your spelling and try again.',
  },
  method_not_allowed: {
    status: 405,
    type: 'GENERIC_BACKEND_ERROR',
    issues: [1011],
    message: '405 Method Not Allowed: The method is not allowed for the requested URL.',
  },
  conflict: {
    status: 409,
    type: 'GENERIC_COMMAND_ERROR',
    issues: [1010],
    message: 'Another user changed this in the meantime. Reload it and try again.',
  },
  /** A chart or dashboard has one report of each user. */
  report_exists: {
    status: 409,
    type: 'GENERIC_COMMAND_ERROR',
    issues: [1010],
    message: 'Resource already has an attached report.',
  },
  gone: {
    status: 410,
    type: 'RESULTS_BACKEND_ERROR',
    issues: [1031, 1032, 1033],
    message: 'The stored results are no longer available. Run the query again.',
  },
  result_gone: {
    status: 404,
    type: 'RESULTS_BACKEND_ERROR',
    issues: [1031, 1032, 1033],
    message: 'The query associated with these results could not be found. You need to re-run the original query.',
  },
  too_large: {
    status: 413,
    type: 'INVALID_PAYLOAD_FORMAT_ERROR',
    issues: [1019],
    message: 'The request is larger than this server accepts.',
  },
  headers_too_large: {
    status: 431,
    type: 'INVALID_PAYLOAD_FORMAT_ERROR',
    issues: [1019],
    message:
      'The address or the headers of the request are too long. Shorten the address, or delete the cookies of this site.',
  },
  request_timeout: {
    status: 408,
    type: 'GENERIC_BACKEND_ERROR',
    issues: [1011],
    message: 'The request did not arrive in time. Check the connection and try again.',
  },
  disk_full: {
    status: 507,
    type: 'GENERIC_BACKEND_ERROR',
    issues: [1011],
    message: "The server's disk is full. Nothing was saved.",
  },
  unsupported_media: {
    status: 415,
    type: 'INVALID_PAYLOAD_FORMAT_ERROR',
    issues: [1019],
    message: 'This content type is not supported.',
  },
  unprocessable: {
    status: 422,
    type: 'GENERIC_COMMAND_ERROR',
    issues: [1010],
    message: 'The request could not be processed.',
  },
  name_taken: {
    status: 422,
    type: 'GENERIC_BACKEND_ERROR',
    issues: [1011],
    message: 'This name is already in use. Choose another one.',
  },
  too_many: {
    status: 429,
    type: 'GENERIC_BACKEND_ERROR',
    issues: [1011],
    message: 'Too many requests. Wait a moment and try again.',
  },
  internal: {
    status: 500,
    type: 'GENERIC_BACKEND_ERROR',
    issues: [1011],
    message: 'Something went wrong on the server. The server log has the details under the request ID.',
  },
  unavailable: {
    status: 503,
    type: 'GENERIC_BACKEND_ERROR',
    issues: [1011],
    message: 'The server is not available right now. Try again.',
  },
  restarting: {
    status: 503,
    type: 'GENERIC_BACKEND_ERROR',
    issues: [1011],
    message: 'The server is restarting. Try again in a moment.',
  },
  /** The connection to the store broke during a commit, and the store was not reachable again to determine the outcome. */
  outcome_unknown: {
    status: 503,
    type: 'GENERIC_BACKEND_ERROR',
    issues: [1011],
    message:
      'The connection to the metadata store was lost while saving. Check whether your change was saved before you try again.',
  },

  dataset_not_found: { status: 404, type: 'GENERIC_BACKEND_ERROR', issues: [], message: 'Dataset does not exist' },
  no_dataset: {
    status: 403,
    type: 'FAILED_FETCHING_DATASOURCE_INFO_ERROR',
    issues: [],
    message: 'The dataset associated with this chart no longer exists',
  },
  database_not_found: {
    status: 404,
    type: 'DATABASE_NOT_FOUND_ERROR',
    issues: [1011, 1036],
    message: 'Database not found.',
  },
  table_not_found: {
    status: 404,
    type: 'TABLE_NOT_FOUND_ERROR',
    issues: [],
    message: 'Table not found in the database',
  },
  dataset_access: {
    status: 403,
    type: 'DATASOURCE_SECURITY_ACCESS_ERROR',
    issues: [],
    message: 'This endpoint requires the datasource, database or `all_datasource_access` permission',
  },
  table_access: {
    status: 403,
    type: 'TABLE_SECURITY_ACCESS_ERROR',
    issues: [],
    message: 'You do not have access to these tables.',
  },
  query_access: {
    status: 403,
    type: 'QUERY_SECURITY_ACCESS_ERROR',
    issues: [],
    message: 'You do not have access to this query.',
  },

  /** Only a cached result was requested, and there is none. */
  not_cached: { status: 404, type: 'GENERIC_BACKEND_ERROR', issues: [1011], message: 'There is no cached result.' },

  /** The query object is invalid; no database was queried. */
  invalid_query: { status: 400, type: 'GENERIC_COMMAND_ERROR', issues: [1010], message: 'The query is not valid.' },
  unsupported: {
    status: 400,
    type: 'GENERIC_DB_ENGINE_ERROR',
    issues: [1002],
    message: 'This database does not support this operation.',
  },
  /** The connection is kept for its datasets and charts, but no driver can open it. */
  engine_unsupported: {
    status: 400,
    type: 'GENERIC_DB_ENGINE_ERROR',
    issues: [1002],
    message: 'This type of database is not supported.',
  },
  adhoc_subquery: {
    status: 403,
    type: 'ADHOC_SUBQUERY_NOT_ALLOWED_ERROR',
    issues: [1037],
    message: 'Custom SQL fields cannot contain sub-queries.',
  },
  invalid_post_processing: {
    status: 400,
    type: 'GENERIC_COMMAND_ERROR',
    issues: [1010],
    message: 'A post-processing step is not valid.',
  },
  unknown_column: { status: 400, type: 'GENERIC_COMMAND_ERROR', issues: [1010], message: 'A column is missing.' },

  query_failed: {
    status: 400,
    type: 'GENERIC_DB_ENGINE_ERROR',
    issues: [1002],
    message: 'The database rejected the query.',
  },
  syntax_error: { status: 400, type: 'SYNTAX_ERROR', issues: [1030], message: 'The SQL has a syntax error.' },
  column_missing: {
    status: 400,
    type: 'COLUMN_DOES_NOT_EXIST_ERROR',
    issues: [1003, 1004],
    message: 'The query refers to a column that does not exist.',
  },
  table_missing: {
    status: 400,
    type: 'TABLE_DOES_NOT_EXIST_ERROR',
    issues: [1003, 1005],
    message: 'The query refers to a table that does not exist.',
  },
  /** The table exists, but its file cannot be read. */
  table_damaged: {
    status: 410,
    type: 'GENERIC_DB_ENGINE_ERROR',
    issues: [1002],
    message:
      'The file of a table is damaged or missing. Load its data again or restore the file from a backup. Other tables are not affected.',
  },
  schema_missing: {
    status: 400,
    type: 'SCHEMA_DOES_NOT_EXIST_ERROR',
    issues: [1003, 1016],
    message: 'The query refers to a schema that does not exist.',
  },
  query_timeout: {
    status: 408,
    type: 'SQLLAB_TIMEOUT_ERROR',
    issues: [1026, 1027],
    message: 'The query took longer than the time limit.',
  },
  query_stopped: { status: 400, type: 'GENERIC_DB_ENGINE_ERROR', issues: [1002], message: 'The query was stopped.' },
  /** A chart or dashboard is refused because too many queries are waiting; `retryAfter` in the details is in seconds. */
  source_busy: {
    status: 503,
    type: 'GENERIC_DB_ENGINE_ERROR',
    issues: [1027],
    message: 'The database is busy. Try again in a moment.',
  },
  /** The same because the user has too many queries waiting. */
  queries_waiting: {
    status: 429,
    type: 'GENERIC_DB_ENGINE_ERROR',
    issues: [1027],
    message: 'Too many of your queries are waiting. Try again in a moment.',
  },
  runner_lost: {
    status: 503,
    type: 'GENERIC_DB_ENGINE_ERROR',
    issues: [1002],
    message: 'The process that was running this query ended unexpectedly. Run the query again.',
  },
  result_too_large: {
    status: 400,
    type: 'RESULT_TOO_LARGE_ERROR',
    issues: [1041],
    message: 'The result is larger than the limit. Request fewer rows or columns.',
  },
  dml_not_allowed: {
    status: 400,
    type: 'DML_NOT_ALLOWED_ERROR',
    issues: [1022],
    message: 'Only `SELECT` statements are allowed against this database.',
  },
  template_missing: {
    status: 400,
    type: 'MISSING_TEMPLATE_PARAMS_ERROR',
    issues: [1006],
    message: 'One or more parameters specified in the query are missing.',
  },
  template_invalid: {
    status: 400,
    type: 'INVALID_TEMPLATE_PARAMS_ERROR',
    issues: [1028],
    message: 'The query contains one or more malformed template parameters.',
  },
  invalid_ctas: {
    status: 400,
    type: 'INVALID_CTAS_QUERY_ERROR',
    issues: [1023],
    message:
      'CTAS (create table as select) can only be run with a query where the last statement is a SELECT. Please make sure your query has a SELECT as its last statement. Then, try running your query again.',
  },
  invalid_cvas: {
    status: 400,
    type: 'INVALID_CVAS_QUERY_ERROR',
    issues: [1024, 1025],
    message:
      'CVAS (create view as select) can only be run with a query with a single SELECT statement. Please make sure your query has only a SELECT statement. Then, try running your query again.',
  },
  sql_not_allowed: {
    status: 403,
    type: 'QUERY_SECURITY_ACCESS_ERROR',
    issues: [],
    message: 'This statement is not allowed here.',
  },

  validator_missing: {
    status: 422,
    type: 'GENERIC_DB_ENGINE_ERROR',
    issues: [1002],
    message: 'SQL validation is not available for this engine.',
  },
  validation_failed: {
    status: 422,
    type: 'GENERIC_DB_ENGINE_ERROR',
    issues: [1002],
    message: 'The SQL could not be validated.',
  },

  connection_failed: {
    status: 422,
    type: 'GENERIC_DB_ENGINE_ERROR',
    issues: [1002],
    message: 'Connection failed, please check your connection settings',
  },
  connection_username: {
    status: 422,
    type: 'CONNECTION_INVALID_USERNAME_ERROR',
    issues: [1012],
    message: 'The username does not exist in the database.',
  },
  connection_password: {
    status: 422,
    type: 'CONNECTION_INVALID_PASSWORD_ERROR',
    issues: [1013],
    message: 'The password is incorrect.',
  },
  connection_hostname: {
    status: 422,
    type: 'CONNECTION_INVALID_HOSTNAME_ERROR',
    issues: [1007],
    message: 'The hostname could not be resolved.',
  },
  connection_port_closed: {
    status: 422,
    type: 'CONNECTION_PORT_CLOSED_ERROR',
    issues: [1008],
    message: 'The port is closed.',
  },
  connection_database: {
    status: 422,
    type: 'CONNECTION_UNKNOWN_DATABASE_ERROR',
    issues: [1015],
    message: 'The database does not exist on this server.',
  },
  connection_missing: {
    status: 422,
    type: 'CONNECTION_MISSING_PARAMETERS_ERROR',
    issues: [1018],
    message: 'Connection settings are missing.',
  },
} as const

export type ErrorCode = keyof typeof errorCodes

/**
 * Error codes whose message comes from the database. Names and values in it may come from data that the requester may not read.
 */
export const databaseMessageCodes: ReadonlySet<ErrorCode> = new Set([
  'query_failed',
  'syntax_error',
  'column_missing',
  'table_missing',
  'schema_missing',
] as const)

/** Error codes of queries that are refused because too much is waiting, and succeed when they are tried again later. */
export const refusalCodes: ReadonlySet<ErrorCode> = new Set(['source_busy', 'queries_waiting'] as const)

/** Texts of the API issue codes in use, identical to the recorded responses because clients compare whole bodies. */
export const issueTexts: Record<number, string> = {
  1002: 'The database returned an unexpected error.',
  1003: 'There is a syntax error in the SQL query. Perhaps there was a misspelling or a typo.',
  1004: 'The column was deleted or renamed in the database.',
  1005: 'The table was deleted or renamed in the database.',
  1006: 'One or more parameters specified in the query are missing.',
  1007: "The hostname provided can't be resolved.",
  1008: 'The port is closed.',
  1010: 'Superset encountered an error while running a command.',
  1011: 'Superset encountered an unexpected error.',
  1012: 'The username provided does not exist in the database.',
  1013: 'The password provided is not valid.',
  1015: 'Either the database is spelled incorrectly or does not exist.',
  1016: 'The schema was deleted or renamed in the database.',
  1018: 'One or more parameters needed to configure a database are missing.',
  1019: 'The submitted payload has the incorrect format.',
  1020: 'The submitted payload has the incorrect schema.',
  1022: 'Database does not allow data manipulation.',
  1023: "The CTAS (create table as select) doesn't have a SELECT statement at the end. Please make sure your query has a SELECT as its last statement. Then, try running your query again.",
  1024: 'CVAS (create view as select) query has more than one statement.',
  1025: 'CVAS (create view as select) query is not a SELECT statement.',
  1026: 'The query is too complex or takes too long to run.',
  1027: 'The database is currently running too many queries.',
  1028: 'One or more parameters specified in the query are malformed.',
  1030: 'The query has a syntax error.',
  1031: 'The results backend no longer has the data from the query.',
  1032: 'The query associated with the results was deleted.',
  1033: 'The results stored in the backend were stored in a different format, and no longer can be deserialized.',
  1036: 'The database was deleted.',
  1037: 'Custom SQL fields cannot contain sub-queries.',
  1041: 'The result is larger than the limit.',
}
