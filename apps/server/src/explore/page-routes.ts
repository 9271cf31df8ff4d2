import { AppError, datasourceTypes, explorePages, message } from '@parquetry/model'
import type { App } from '../http/app.ts'
import { parseJson } from '../http/json-body.ts'
import { redirect } from '../http/redirect.ts'
import type { ReadContext } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { createFormData } from './form-data.ts'

interface Datasource {
  id: number
  type: (typeof datasourceTypes)[number]
}

/** @throws AppError `bad_request` for a text that is not a JSON object */
function parseForm(text: string): Record<string, unknown> {
  const value = parseJson(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new AppError('bad_request', {
    message: message('errors.sqllab.formData', 'form_data must be a JSON object.'),
  })
}

/** The data source of a form: `12__table`, or that of the address. */
function findDatasource(form: Record<string, unknown>, inAddress: Datasource | null): Datasource {
  const [, id, kind] = /^(\d{1,15})__(\w+)$/.exec(String(form['datasource'])) ?? []
  const type = datasourceTypes.find((each) => each === kind)
  const found = id !== undefined && type ? { id: Number(id), type } : inAddress
  if (found) return found
  throw new AppError('bad_request', {
    message: message('errors.datasource.key', 'The datasource key is not valid. Keys look like 1__table.'),
  })
}

/** The address at which Explore opens with a form, which is stored for the caller. */
async function buildExploreUrl(
  context: ReadContext,
  text: string | undefined,
  inAddress: Datasource | null,
): Promise<string> {
  if (text === undefined && inAddress === null) return '/explore/'
  const form = text === undefined ? {} : parseForm(text)
  const { id, type } = findDatasource(form, inAddress)
  const address = `/explore/?datasource_type=${type}&datasource_id=${id}`
  if (text === undefined) return address
  const chart = Number.isSafeInteger(form['slice_id']) ? (form['slice_id'] as number) : undefined
  const body = { datasource_id: id, datasource_type: type, form_data: text, ...(chart && { chart_id: chart }) }
  const key = await createFormData(context, body)
  return `${address}&form_data_key=${encodeURIComponent(key)}${chart ? `&slice_id=${chart}` : ''}`
}

/** Forms that other pages post to Explore. The form data can be too long for an address. */
export function explorePageRoutes(app: App): void {
  serve(app, explorePages.posted, async ({ body, principal, reply }) =>
    redirect(reply, await buildExploreUrl(readContext(app, principal), body['form_data'], null)),
  )
  serve(app, explorePages.postedOfDataset, async ({ params, body, principal, reply }) => {
    const { datasource_id: id, datasource_type: type } = params
    return redirect(reply, await buildExploreUrl(readContext(app, principal), body['form_data'], { id, type }))
  })
}
