import { type ChartForm, parseDatasource } from '@parquetry/charts'
import { AppError } from '@parquetry/model'
import type { FastifyRequest } from 'fastify'
import { can } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { buildFormData } from '../chart/form-data.ts'
import { parseJson } from '../http/json-body.ts'
import { readViewerRules } from '../settings/viewer-rules.ts'

export interface FormRequest {
  /** Fields of a form body; a JSON body is read from the request. */
  body: unknown
  query: { form_data?: string }
  params?: { datasource_type: string; datasource_id: number }
  request: FastifyRequest
  principal: Principal
}

/** A form with only these fields represents a saved chart with filters applied to it. */
const overlayFields = new Set(['slice_id', 'extra_filters', 'adhoc_filters', 'viz_type'])

/**
 * Returns the form of a request with its datasource. The URL takes precedence over the body, and a saved chart given only by id
 * is filled in for users who may see it. Invalid forms count as empty.
 */
export async function readRequestForm(
  { body, query, params, request, principal }: FormRequest,
  { db, settings }: ChartDeps,
): Promise<ChartForm> {
  const requested: ChartForm = { ...readBodyForm(body, request), ...parseForm(query.form_data) }
  const form = { ...(await savedForm(requested)), ...requested }
  return params ? { ...form, datasource: `${params.datasource_id}__${params.datasource_type}` } : form

  async function savedForm({ slice_id }: ChartForm): Promise<ChartForm> {
    const id = Number(slice_id)
    if (!Number.isSafeInteger(id) || id <= 0 || !Object.keys(requested).every((key) => overlayFields.has(key)))
      return {}
    const access = { db, principal, ...readViewerRules(settings) }
    if (!(await can(access, ['can_read', 'Chart'], { kind: 'chart', id }))) return {}
    const chart = await db.selectFrom('chart').selectAll().where('id', '=', id).executeTakeFirst()
    return chart ? buildFormData(chart) : {}
  }
}

/** A JSON body is the form itself or contains it as `form_data`. */
function readBodyForm(fields: unknown, { body, headers }: FastifyRequest): ChartForm {
  if (!headers['content-type']?.startsWith('application/json')) return parseForm(parseForm(fields)['form_data'])
  const parsed = parseForm(body)
  return 'form_data' in parsed ? parseForm(parsed['form_data']) : parsed
}

function parseForm(value: unknown): ChartForm {
  if (typeof value === 'string')
    try {
      return parseForm(parseJson(value))
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_json') return {}
      throw error
    }
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ChartForm) : {}
}

/** Tests if a form names its datasource. */
export const hasDatasource = (form: ChartForm): boolean => {
  const { id } = parseDatasource(form)
  return id !== '' && id !== 'None'
}
