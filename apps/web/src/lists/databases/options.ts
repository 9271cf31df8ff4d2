/** Form state of the database options. */
export interface DatabaseOptions {
  expose_in_sqllab: boolean
  allow_run_async: boolean
  allow_ctas: boolean
  allow_cvas: boolean
  allow_dml: boolean
  allow_file_upload: boolean
  impersonate_user: boolean
  force_ctas_schema: string
  cache_timeout: number | null
  extra: DatabaseExtra
}

/** Keys of `extra` that the form edits; others are preserved. */
export interface DatabaseExtra {
  cost_estimate_enabled?: boolean
  disable_data_preview?: boolean
  schemas_allowed_for_file_upload?: string[]
  metadata_cache_timeout?: { schema_cache_timeout?: number; table_cache_timeout?: number }
  [other: string]: unknown
}

export const newOptions = (): DatabaseOptions => ({
  expose_in_sqllab: true,
  allow_run_async: true,
  allow_ctas: false,
  allow_cvas: false,
  allow_dml: false,
  allow_file_upload: false,
  impersonate_user: false,
  force_ctas_schema: '',
  cache_timeout: null,
  extra: {},
})

function readExtra(text: unknown): DatabaseExtra {
  try {
    const value: unknown = JSON.parse(typeof text === 'string' && text !== '' ? text : '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as DatabaseExtra) : {}
  } catch {
    return {}
  }
}

/** The options of a stored database. */
export function readOptions(stored: Record<string, unknown>): DatabaseOptions {
  const isOn = (name: keyof DatabaseOptions) => stored[name] === true
  return {
    expose_in_sqllab: isOn('expose_in_sqllab'),
    allow_run_async: isOn('allow_run_async'),
    allow_ctas: isOn('allow_ctas'),
    allow_cvas: isOn('allow_cvas'),
    allow_dml: isOn('allow_dml'),
    allow_file_upload: isOn('allow_file_upload'),
    impersonate_user: isOn('impersonate_user'),
    force_ctas_schema: typeof stored['force_ctas_schema'] === 'string' ? stored['force_ctas_schema'] : '',
    cache_timeout: typeof stored['cache_timeout'] === 'number' ? stored['cache_timeout'] : null,
    extra: readExtra(stored['extra']),
  }
}

/** Removes empty values: an empty schema list and cleared timeouts. */
function tidy(extra: DatabaseExtra): DatabaseExtra {
  const times = Object.entries(extra.metadata_cache_timeout ?? {}).filter(([, seconds]) => seconds !== undefined)
  const { metadata_cache_timeout: _, schemas_allowed_for_file_upload: schemas, ...rest } = extra
  return {
    ...rest,
    ...(schemas?.length && { schemas_allowed_for_file_upload: schemas }),
    ...(times.length > 0 && { metadata_cache_timeout: Object.fromEntries(times) }),
  }
}

export const optionsBody = ({ extra, force_ctas_schema, ...flags }: DatabaseOptions): Record<string, unknown> => ({
  ...flags,
  force_ctas_schema: force_ctas_schema.trim() || null,
  extra: JSON.stringify(tidy(extra)),
})
