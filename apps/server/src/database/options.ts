import { type Engine, maskSecret } from '@parquetry/engines'
import { type DatabasePost, message, type Message } from '@parquetry/model'
import { readExtra } from '../connection/extra.ts'
import { FieldErrorCollector, unprocessableFields, invalidPayload } from '../http/writing.ts'

const isFlag = (value: unknown) => typeof value === 'boolean'
const isText = (value: unknown) => typeof value === 'string'
const isSeconds = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= -1
const isNames = (value: unknown) => Array.isArray(value) && value.every(isText)
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEmptyObject = (value: unknown): boolean => isRecord(value) && Object.keys(value).length === 0

/** `engine_params` with the one driver argument that has an effect: `{ connect_args: { read_only: true } }`. */
const isReadOnlyArgument = (value: unknown): boolean =>
  isRecord(value) &&
  Object.keys(value).join() === 'connect_args' &&
  isRecord(value['connect_args']) &&
  Object.keys(value['connect_args']).join() === 'read_only' &&
  isFlag(value['connect_args']['read_only'])

const notFlag = (name: string): Message =>
  message('errors.database.extraFlag', '{name} must be true or false.', { name })
const notNames = (name: string): Message =>
  message('errors.database.extraNames', '{name} must be a list of names.', { name })

/** Validated keys of `extra`; other keys are stored for the tools that wrote them and have no effect here. */
const extraKeys: Record<string, { fits(value: unknown): boolean; complaint(name: string): Message }> = {
  ...Object.fromEntries(
    [
      'allows_virtual_table_explore',
      'cost_estimate_enabled',
      'allow_multi_catalog',
      'disable_data_preview',
      'disable_drill_to_detail',
      'cancel_query_on_windows_unload',
    ].map((name) => [name, { fits: isFlag, complaint: notFlag }]),
  ),
  schemas_allowed_for_file_upload: { fits: isNames, complaint: notNames },
  schemas_allowed_for_csv_upload: { fits: isNames, complaint: notNames },
  metadata_params: {
    fits: isRecord,
    complaint: (name) => message('errors.database.extraObject', '{name} must be an object.', { name }),
  },
  // Other driver arguments have no effect here, and secrets in them would be stored unencrypted.
  engine_params: {
    fits: (value) => isReadOnlyArgument(value) || (isRecord(value) && Object.values(value).every(isEmptyObject)),
    complaint: (name) =>
      message(
        'errors.database.extraArguments',
        '{name} must be an object without arguments. Use the fields of the connection instead. Only DuckDB has one: {example}',
        { name, example: '{"connect_args": {"read_only": true}}' },
      ),
  },
  explore_database_id: {
    fits: Number.isSafeInteger,
    complaint: (name) => message('errors.database.extraDatabase', '{name} must be the ID of a database.', { name }),
  },
  metadata_cache_timeout: {
    fits: (value) =>
      isRecord(value) &&
      Object.entries(value).every(
        ([name, seconds]) => /^(catalog|schema|table)_cache_timeout$/.test(name) && isSeconds(seconds),
      ),
    complaint: (name) =>
      message(
        'errors.database.extraTimeouts',
        '{name} must be an object with times in seconds: schema_cache_timeout, table_cache_timeout.',
        { name },
      ),
  },
}

function readJson(body: Partial<DatabasePost>, field: 'extra' | 'masked_encrypted_extra', errors: FieldErrorCollector) {
  try {
    const value: unknown = JSON.parse(body[field] || '{}')
    if (isRecord(value)) return value
    errors.add(field, message('errors.database.jsonObject', 'Must be a JSON object.'))
  } catch (error) {
    errors.add(
      field,
      message('errors.database.notJson', 'Field cannot be decoded by JSON. {reason}', {
        reason: error instanceof Error ? error.message : '',
      }),
    )
  }
  return {}
}

/** @throws AppError `invalid_payload` for text that is not JSON, and for values of `extra` that cannot be applied */
export function checkJsonFields(body: Partial<DatabasePost>, more: (errors: FieldErrorCollector) => void): void {
  const complaints = new FieldErrorCollector(invalidPayload)
  more(complaints)
  for (const [name, value] of Object.entries(readJson(body, 'extra', complaints))) {
    const rule = Object.hasOwn(extraKeys, name) ? extraKeys[name] : undefined
    if (rule && !rule.fits(value)) complaints.add('extra', rule.complaint(name))
  }
  if (Object.keys(readJson(body, 'masked_encrypted_extra', complaints)).length > 0)
    complaints.add(
      'masked_encrypted_extra',
      message(
        'errors.database.encryptedExtra',
        'Secrets are not accepted here. Enter them in the fields of the connection.',
      ),
    )
  if (typeof body.cache_timeout === 'number' && body.cache_timeout < -1)
    complaints.add(
      'cache_timeout',
      message('errors.database.cacheTimeout', 'Must be a number of seconds, or -1 for no cache.'),
    )
  complaints.throwIfAny()
}

/**
 * Refuses options that the engine does not support, so that none without effect is stored.
 * @throws AppError `unprocessable`
 */
export function checkAbilities(
  body: Partial<DatabasePost>,
  { title: engine, kind, supports, isUnsupported }: Engine,
): void {
  // Options of a connection that is only kept are those of the installation that it came from.
  if (isUnsupported) return
  const errors = new FieldErrorCollector(unprocessableFields)
  if (body.impersonate_user && !supports.impersonate)
    errors.add(
      'impersonate_user',
      message(
        'errors.database.impersonate',
        '{engine} connections cannot impersonate users. They always use the account of the connection, and this server decides what each user can read.',
        { engine },
      ),
    )
  if (
    kind === 'network' &&
    readExtra({ extra: body.extra ?? '{}' }).engine_params?.connect_args?.read_only !== undefined
  )
    errors.add('extra', message('errors.database.readOnly', 'Only DuckDB connections have the argument read_only.'))
  if (kind === 'network' && !supports.createAs) {
    if (body.allow_ctas)
      errors.add(
        'allow_ctas',
        message('errors.database.createTable', '{engine} connections cannot create tables from queries.', { engine }),
      )
    if (body.allow_cvas)
      errors.add(
        'allow_cvas',
        message('errors.database.createView', '{engine} connections cannot create views from queries.', { engine }),
      )
  }
  errors.throwIfAny()
}

const isSecret = (name: string): boolean => maskSecret(name, 'x') !== 'x'

/** Masks the secrets in driver arguments, at any depth. An argument with the name of a secret contains only secrets. */
const maskArguments = (value: unknown, name = ''): unknown => {
  if (typeof value === 'string') return maskSecret(name, value)
  if (Array.isArray(value)) return value.map((item) => maskArguments(item, name))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, maskArguments(item, isSecret(name) ? name : key)]),
  )
}

const hasContent = (value: unknown): boolean => value != null && !(isRecord(value) && Object.keys(value).length === 0)

/** True if the `engine_params` of an imported `extra` contain arguments: Superset writes an empty object into each `extra`. */
export function hasArguments(extra: string): boolean {
  try {
    const value: unknown = JSON.parse(extra)
    const given = isRecord(value) ? value['engine_params'] : undefined
    return isRecord(given) ? Object.values(given).some(hasContent) : hasContent(given)
  } catch {
    return false
  }
}

/**
 * Removes `engine_params`, the driver arguments, from an imported `extra`, except `read_only` of an embedded database. Those of an
 * engine that is not supported stay for its exports, without their secrets.
 */
export function withoutArguments(
  extra: string,
  { kind, isUnsupported }: Pick<Engine, 'kind' | 'isUnsupported'>,
): string {
  try {
    const value: unknown = JSON.parse(extra)
    if (!isRecord(value) || !('engine_params' in value)) return extra
    if (kind === 'embedded' && isReadOnlyArgument(value['engine_params'])) return extra
    const { engine_params, ...rest } = value
    return JSON.stringify(isUnsupported ? { ...value, engine_params: maskArguments(engine_params) } : rest)
  } catch {
    return extra
  }
}
