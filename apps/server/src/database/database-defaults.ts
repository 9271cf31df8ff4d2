import type { Insertable } from 'kysely'
import type { DatabaseTable } from '../store/tables.ts'

/** Default values of a stored database. */
export const databaseDefaults = {
  extra: '{}',
  cache_timeout: null,
  expose_in_sqllab: 1,
  allow_run_async: 0,
  allow_ctas: 0,
  allow_cvas: 0,
  allow_dml: 0,
  allow_file_upload: 0,
  force_ctas_schema: null,
  impersonate_user: 0,
  configuration_method: 'sqlalchemy_form',
  version: 1,
} as const satisfies Partial<Insertable<DatabaseTable>>
