import type { Engine } from '@parquetry/engines'
import type { DatabasePost } from '@parquetry/model'
import { Complaints, refused, wrongFields } from '../http/writing.ts'

const isFlag = (value: unknown) => typeof value === 'boolean'
const isText = (value: unknown) => typeof value === 'string'
const isSeconds = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= -1
const isNames = (value: unknown) => Array.isArray(value) && value.every(isText)
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isBare = (value: Record<string, unknown>): boolean => Object.keys(value).length === 0

/** What `extra` may say; other keys are kept for the tools that wrote them and do nothing here. */
const extraKeys: Record<string, { fits(value: unknown): boolean; wanted: string }> = {
  ...Object.fromEntries(
    [
      'allows_virtual_table_explore',
      'cost_estimate_enabled',
      'allow_multi_catalog',
      'disable_data_preview',
      'disable_drill_to_detail',
      'cancel_query_on_windows_unload',
    ].map((name) => [name, { fits: isFlag, wanted: 'true or false' }]),
  ),
  schemas_allowed_for_file_upload: { fits: isNames, wanted: 'a list of names' },
  schemas_allowed_for_csv_upload: { fits: isNames, wanted: 'a list of names' },
  metadata_params: { fits: isRecord, wanted: 'an object' },
  // Nothing here obeys its arguments, and they may hold secrets that nobody would encrypt.
  engine_params: {
    fits: (value) => isRecord(value) && Object.values(value).every((inner) => isRecord(inner) && isBare(inner)),
    wanted: 'an object without arguments: the fields of the connection say all that a driver is told',
  },
  explore_database_id: { fits: Number.isSafeInteger, wanted: 'the number of a database' },
  metadata_cache_timeout: {
    fits: (value) =>
      isRecord(value) &&
      Object.entries(value).every(
        ([name, seconds]) => /^(catalog|schema|table)_cache_timeout$/.test(name) && isSeconds(seconds),
      ),
    wanted: 'an object of seconds: schema_cache_timeout, table_cache_timeout',
  },
}

function readJson(body: Partial<DatabasePost>, field: 'extra' | 'masked_encrypted_extra', complaints: Complaints) {
  try {
    const value: unknown = JSON.parse(body[field] || '{}')
    if (isRecord(value)) return value
    complaints.add(field, 'Must be a JSON object.')
  } catch (error) {
    complaints.add(field, `Field cannot be decoded by JSON. ${error instanceof Error ? error.message : ''}`.trim())
  }
  return {}
}

/** @throws AppError `invalid_payload` for texts that are no JSON, and for what `extra` says in a way that nothing can obey */
export function checkTexts(body: Partial<DatabasePost>, more: (complaints: Complaints) => void): void {
  const complaints = new Complaints(wrongFields)
  more(complaints)
  for (const [name, value] of Object.entries(readJson(body, 'extra', complaints))) {
    const rule = Object.hasOwn(extraKeys, name) ? extraKeys[name] : undefined
    if (rule && !rule.fits(value)) complaints.add('extra', `${name} must be ${rule.wanted}.`)
  }
  if (Object.keys(readJson(body, 'masked_encrypted_extra', complaints)).length > 0)
    complaints.add('masked_encrypted_extra', 'Engines take their secrets by the fields of the connection.')
  if (typeof body.cache_timeout === 'number' && body.cache_timeout < -1)
    complaints.add('cache_timeout', 'Must be seconds, or -1 for no cache.')
  complaints.throwIfAny()
}

/**
 * Refuses what an engine cannot do, so that nothing is stored that would have no effect.
 * @throws AppError `unprocessable`
 */
export function checkAbilities(body: Partial<DatabasePost>, { title, kind, supports }: Engine): void {
  const complaints = new Complaints(refused)
  if (body.impersonate_user && !supports.impersonate)
    complaints.add(
      'impersonate_user',
      `${title} connections always use the account of the connection; what a user may read is decided here.`,
    )
  if (kind === 'network' && !supports.createAs) {
    if (body.allow_ctas) complaints.add('allow_ctas', `${title} makes no tables from queries here.`)
    if (body.allow_cvas) complaints.add('allow_cvas', `${title} makes no views from queries here.`)
  }
  complaints.throwIfAny()
}

/** An `extra` from elsewhere without what a driver would be told: `engine_params`. */
export function withoutArguments(extra: string): string {
  try {
    const value: unknown = JSON.parse(extra)
    if (!isRecord(value) || !('engine_params' in value)) return extra
    const { engine_params: _, ...rest } = value
    return JSON.stringify(rest)
  } catch {
    return extra
  }
}
