import Type from 'typebox'
import { openObject, AnyObject, optional, nullish } from './fields.ts'
import { jsonField } from './form.ts'
import { defineRoute } from './route.ts'

/** The flags `query`, `results` and `samples` reduce the response to some of these fields; with `csv` it is a file. */
const LegacyDataReply = openObject({
  data: optional(Type.Unknown()),
  form_data: optional(AnyObject),
  errors: optional(Type.Array(AnyObject)),
  status: optional(Type.String()),
  query: optional(Type.String()),
  colnames: nullish(Type.Array(Type.String())),
})

const flags = Object.fromEntries(
  ['form_data', 'force', 'csv', 'query', 'results', 'samples'].map((name) => [name, Type.Optional(Type.String())]),
) as Record<'form_data' | 'force' | 'csv' | 'query' | 'results' | 'samples', Type.TOptional<Type.TString>>

const shared = {
  query: Type.Object(flags),
  reply: LegacyDataReply,
  can: ['can_explore_json', 'Superset'],
  object: 'the dataset of the form data, or the dashboard that shows its chart',
  rate: 'query',
  audit: 'explore_json',
  errors: 'legacy',
} as const
const fails = ['dataset_not_found', 'dataset_access', 'no_dataset', 'bad_request', 'query_timeout'] as const
const datasetRoute = {
  path: '/superset/explore_json/:datasource_type/:datasource_id/',
  params: Type.Object({ datasource_type: Type.String(), datasource_id: Type.Integer() }),
  summary: 'Returns the data of a legacy chart type for a dataset',
} as const
const formRoute = {
  path: '/superset/explore_json/',
  summary: 'Returns the data of a legacy chart type in the shape that the chart expects',
} as const
const success = [200, 202]
const get = { ...shared, success, method: 'GET', body: 'none', csrf: 'none', fails } as const
/** Without the field, the form data is in the query string. */
const FormDataForm = Type.Object({ form_data: Type.Optional(jsonField(AnyObject)) })
const post = {
  ...shared,
  success,
  method: 'POST',
  body: 'form',
  form: FormDataForm,
  csrf: 'same-origin',
  fails,
} as const

/** The data call of charts before `/api/v1/chart/data`; legacy chart types of other clients still use it. */
export const exploreJsonRoutes = {
  get: defineRoute({ ...get, ...formRoute }),
  post: defineRoute({ ...post, ...formRoute }),
  getOfDataset: defineRoute({ ...get, ...datasetRoute }),
  postOfDataset: defineRoute({ ...post, ...datasetRoute }),
  byKey: defineRoute({
    ...get,
    path: '/superset/explore_json/data/:cache_key',
    summary: 'Returns the result of form data that ran in the background',
    params: Type.Object({ cache_key: Type.String() }),
    query: Type.Object({}),
    success: [200],
    rate: 'read',
    audit: 'explore_json_data',
    fails: ['not_found', 'dataset_access'],
  }),
}
