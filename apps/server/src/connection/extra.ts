import type { DatabaseRow } from './source.ts'

export interface DatabaseExtra {
  allows_virtual_table_explore?: boolean
  cost_estimate_enabled?: boolean
  disable_data_preview?: boolean
  disable_drill_to_detail?: boolean
  explore_database_id?: number
  schemas_allowed_for_file_upload?: string[]
  schemas_allowed_for_csv_upload?: string[]
  engine_params?: { connect_args?: { read_only?: boolean } }
}

/** Parses `extra` of a database; text that is not a JSON object counts as empty. */
export function readExtra({ extra }: Pick<DatabaseRow, 'extra'>): DatabaseExtra {
  try {
    const value: unknown = JSON.parse(extra || '{}')
    return typeof value === 'object' && value !== null ? (value as DatabaseExtra) : {}
  } catch {
    return {}
  }
}

/** True if the driver arguments of the connection forbid changes: no table is created, loaded, renamed or removed. */
export const isReadOnlyConnection = (database: Pick<DatabaseRow, 'extra'>): boolean =>
  readExtra(database).engine_params?.connect_args?.read_only === true
