import {
  AppError,
  message as sentence,
  type Message,
  type DatasetObject,
  type ExploreDocument,
  type Translate,
  translateMessage,
} from '@parquetry/model'
import { type ChartRow, chartResource, chartUrl } from '../chart/chart-resource.ts'
import { asHtml } from '../chart/description.ts'
import { buildFormData } from '../chart/form-data.ts'
import { editorLinks } from '../access/subject-links.ts'
import { labelSubjects } from '../http/subjects.ts'
import { datasetObject, readDatasetObject } from '../dataset/dataset-object.ts'
import { resolveEndpoint } from '../dataset/dataset-resource.ts'
import { readDataset, type StoredDataset } from '../dataset/stored-dataset.ts'
import { fullName, type UserSummary } from '../http/column-resolvers.ts'
import { ago } from '../http/humanize.ts'
import { parseObject } from '../http/json-body.ts'
import { present, type ReadContext, visibleRow } from '../http/resource.ts'
import { can } from '../access/access.ts'
import { readFormData } from './form-data.ts'
import { readExplorePermalink } from './permalink.ts'

/** Query parameters of the Explore page. */
export interface ExploreParams {
  form_data_key?: string
  permalink_key?: string
  slice_id?: string
  datasource_id?: string
  datasource_type?: string
}

type FormData = Record<string, unknown>

const missingDataset = {
  type: 'table',
  name: '[Missing Dataset]',
  columns: [],
  metrics: [],
  database: { id: 0, backend: '', parameters: {} },
}

const parseId = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null

const revertedToChart = sentence(
  'errors.explore.revertedToChart',
  'Form data not found in cache, reverting to chart metadata.',
)
const revertedToDataset = sentence(
  'errors.explore.revertedToDataset',
  'Form data not found in cache, reverting to dataset metadata.',
)

/** Form data referenced by the URL, before that of the chart and the dataset is added. */
async function readUrlForm(
  context: ReadContext,
  query: ExploreParams,
): Promise<{ form: FormData; message: Message | null }> {
  if (query.permalink_key !== undefined) {
    const { state } = await readExplorePermalink(context, query.permalink_key)
    const pairs = (state.urlParams ?? []).map(([name, value]) => [String(name), value])
    return {
      form: { ...state.formData, ...(pairs.length > 0 && { url_params: Object.fromEntries(pairs) }) },
      message: null,
    }
  }
  if (query.form_data_key === undefined) return { form: {}, message: null }
  const stored = await readFormData(context, query.form_data_key)
  if (stored !== undefined) return { form: parseObject(stored), message: null }
  return { form: {}, message: query.slice_id !== undefined ? revertedToChart : revertedToDataset }
}

/** The chart in the format of the page (`slice`). */
function buildSlice(chart: ChartRow, datasetName: string | null, owners: number[], editors: number[], now: Date) {
  const changed = ago(chart.changed_on, now)
  return {
    slice_id: chart.id,
    slice_name: chart.slice_name,
    slice_url: chartUrl(chart.id),
    form_data: buildFormData(chart),
    query_context: chart.query_context,
    description: chart.description,
    description_markeddown: asHtml(chart.description),
    description_markdown: asHtml(chart.description),
    viz_type: chart.viz_type,
    datasource: datasetName,
    datasource_name: datasetName,
    datasource_id: chart.datasource_id,
    datasource_type: chart.datasource_type,
    edit_url: `/chart/edit/${chart.id}`,
    cache_timeout: chart.cache_timeout,
    modified: `<span class="no-wrap">${changed}</span>`,
    changed_on: chart.changed_on,
    changed_on_humanized: changed,
    owners,
    editors,
    certified_by: chart.certified_by,
    certification_details: chart.certification_details,
    is_managed_externally: chart.is_managed_externally === 1,
    uuid: chart.uuid,
  }
}

async function chartParts(context: ReadContext, chart: ChartRow) {
  const columns = [
    'owners',
    'editors.id',
    'created_by',
    'changed_by',
    'dashboards.id',
    'dashboards.dashboard_title',
    'datasource_name_text',
    'datasource_url',
    'thumbnail_url',
  ]
  const [facts = {}] = await present(chartResource, [chart], columns, context)
  const { owners, editors, created_by, changed_by, dashboards, datasource_name_text, datasource_url, thumbnail_url } =
    facts as {
      owners: UserSummary[]
      editors: { id: number }[]
      created_by: UserSummary | null
      changed_by: UserSummary | null
      dashboards: { id: number }[]
      datasource_name_text: string | null
      datasource_url: string | null
      thumbnail_url: string
    }
  return {
    slice: {
      ...buildSlice(
        chart,
        datasource_name_text,
        owners.map(({ id }) => id),
        editors.map(({ id }) => id),
        context.now,
      ),
      datasource_url,
      thumbnail_url,
      created_by: created_by && fullName(created_by),
    },
    metadata: {
      owners: owners.map(fullName),
      dashboards,
      created_by: created_by && fullName(created_by),
      changed_by: changed_by && fullName(changed_by),
      created_on_humanized: ago(chart.created_on, context.now),
      changed_on_humanized: ago(chart.changed_on, context.now),
    },
  }
}

async function visibleChart(context: ReadContext, id: number | null): Promise<ChartRow | null> {
  if (id === null || !(await can(context, ['can_read', 'Chart'], { kind: 'chart', id }))) return null
  return visibleRow<ChartRow>(chartResource, id, context)
}

const resolveDatasource = (
  form: FormData,
  { datasource_id, datasource_type }: ExploreParams,
): { id: number | null; type: string } => {
  const [, id, type] =
    /^(\d{1,15})__(\w+)$/.exec(typeof form['datasource'] === 'string' ? form['datasource'] : '') ?? []
  if (id !== undefined && type !== undefined) return { id: Number(id), type }
  return { id: parseId(datasource_id), type: datasource_type ?? 'table' }
}

/** Shows an unreadable query as missing, like a dataset. */
function treatAsMissing(error: unknown): undefined {
  if (!(error instanceof AppError) || error.status >= 500) throw error
}

const datasetOrQuery = async ({ db }: ReadContext, stored: StoredDataset, type: string): Promise<DatasetObject> =>
  type === 'query'
    ? datasetObject(stored, [], 'query')
    : {
        ...(await readDatasetObject(db, stored)),
        editors: (await labelSubjects(db, editorLinks.dataset, [stored.row.id])).get(stored.row.id) ?? [],
      }

/** Explore redirects because the dataset has its own URL. */
export class ExploreRedirect extends Error {
  readonly redirect: string
  constructor(redirect: string) {
    super('opens elsewhere')
    this.redirect = redirect
  }
}

/**
 * Everything that the Explore page needs to open: form data merged from the URL, the chart and the defaults, the dataset object,
 * and chart metadata. Unreadable datasets and charts are shown as missing.
 * @param parameters  all URL parameters, which become `url_params` of the form data
 * @param ofQuery  returns a SQL Lab query as a dataset, for users who may read it
 * @throws OpensElsewhere
 */
export async function openExplore(
  context: ReadContext,
  query: ExploreParams,
  parameters: Record<string, string>,
  ofQuery: (id: number) => Promise<StoredDataset>,
  translate: Translate,
): Promise<ExploreDocument> {
  const queryDataset = (id: number | null) => (id === null ? undefined : ofQuery(id).catch(treatAsMissing))
  const { form: urlForm, message } = await readUrlForm(context, query)
  const sliceId =
    parseId(query.slice_id) ?? (Number.isSafeInteger(urlForm['slice_id']) ? (urlForm['slice_id'] as number) : null)
  const chart = await visibleChart(context, sliceId)
  const form: FormData = {
    ...(sliceId !== null && { slice_id: sliceId }),
    ...(chart && buildFormData(chart)),
    ...urlForm,
  }
  const { id, type } = resolveDatasource(form, query)
  if (!['table', 'dataset', 'query', 'saved_query', 'sl_table', 'view'].includes(type))
    throw new AppError('bad_request', {
      message: sentence('errors.explore.datasourceType', 'Invalid datasource type: {type}', { type }),
    })
  const isReadable =
    id !== null && type === 'table' && (await can(context, ['can_read', 'Dataset'], { kind: 'dataset', id }))
  const stored = isReadable ? await readDataset(context.db, id) : type === 'query' ? await queryDataset(id) : undefined
  const endpoint = stored && resolveEndpoint(stored.row)
  if (endpoint && !form['viz_type']) throw new ExploreRedirect(endpoint)
  const urlParams = (urlForm['url_params'] ?? {}) as object
  return {
    form_data: {
      adhoc_filters: [],
      applied_time_extras: {},
      ...form,
      datasource: `${id ?? 'None'}__${type}`,
      url_params: { ...urlParams, ...parameters },
    },
    dataset: stored ? await datasetOrQuery(context, stored, type) : (missingDataset as unknown as DatasetObject),
    message: message && translateMessage(message, translate),
    ...(chart ? await chartParts(context, chart) : { slice: null, metadata: null }),
  }
}
