import Type from 'typebox'
import type { DatasetObject } from './dataset-responses.ts'
import {
  openObject,
  AnyObject,
  body,
  datasourceType,
  id,
  ids,
  optional,
  nullish,
  MessageBody,
  nullable,
  text,
} from './fields.ts'
import { jsonField } from './form.ts'
import { defineRoute } from './route.ts'

/** Body of the form data calls; `form_data` is JSON text. */
export const FormDataBody = body({
  datasource_id: id(),
  datasource_type: datasourceType(),
  chart_id: optional(id()),
  form_data: text(),
})
export type FormDataBody = Type.Static<typeof FormDataBody>

export const ExplorePermalink = body({
  formData: Type.Record(Type.String(), Type.Unknown()),
  urlParams: nullish(Type.Array(Type.Array(Type.Unknown()))),
})
export type ExplorePermalink = Type.Static<typeof ExplorePermalink>

/** A saved chart in the format of Explore. */
const Slice = openObject({
  slice_id: id(),
  slice_name: text(),
  slice_url: text(),
  form_data: AnyObject,
  description: nullable(text()),
  owners: ids(),
  /** Ids of the subjects that own the chart. */
  editors: ids(),
  certified_by: nullable(text()),
  certification_details: nullable(text()),
  is_managed_externally: Type.Boolean(),
})

/** Initial data of the Explore page. */
export const ExploreDocument = openObject({
  form_data: AnyObject,
  /** A missing dataset only has `type`, `name`, an empty database, and no columns or metrics. */
  dataset: Type.Unsafe<DatasetObject>(openObject({ type: text(), name: text() })),
  slice: nullable(Slice),
  /** Message when the form data of the link is no longer stored. */
  message: nullable(text()),
})
export type ExploreDocument = Type.Static<typeof ExploreDocument>

const TabId = Type.Object({ tab_id: Type.Optional(Type.String()) })
const ByKey = Type.Object({ key: Type.String() })
const formDataView = 'ExploreFormDataRestApi'
const read = { method: 'GET', body: 'none', rate: 'read', audit: 'none', csrf: 'none', errors: 'plain' } as const
const write = { rate: 'write', csrf: 'token', errors: 'plain' } as const

/** `/api/v1/explore/`: initial data of the Explore page, and the states stored for its links. */
export const exploreRoutes = {
  open: defineRoute({
    ...read,
    path: '/api/v1/explore/',
    summary: 'Returns the form data, dataset and chart for the Explore page',
    query: Type.Object(
      {
        form_data_key: Type.Optional(Type.String()),
        permalink_key: Type.Optional(Type.String()),
        slice_id: Type.Optional(Type.String()),
        datasource_id: Type.Optional(Type.String()),
        datasource_type: Type.Optional(Type.String()),
      },
      { additionalProperties: true },
    ),
    reply: openObject({ result: ExploreDocument }),
    can: ['can_read', 'Explore'],
    object: 'the dataset must be readable; missing and unreadable datasets look the same',
    fails: ['bad_request', 'not_found'],
  }),
  createFormData: defineRoute({
    ...write,
    method: 'POST',
    path: '/api/v1/explore/form_data',
    success: [201],
    summary: 'Stores form data under a key for seven days',
    query: TabId,
    body: FormDataBody,
    reply: openObject({ key: Type.String() }),
    can: ['can_write', formDataView],
    object: 'the dataset and the chart',
    audit: 'none',
    fails: ['invalid_payload', 'forbidden', 'not_found'],
  }),
  updateFormData: defineRoute({
    ...write,
    method: 'PUT',
    path: '/api/v1/explore/form_data/:key',
    summary: 'Updates stored form data',
    params: ByKey,
    query: TabId,
    body: FormDataBody,
    reply: openObject({ key: Type.String(), message: Type.String() }),
    can: ['can_write', formDataView],
    object: 'the dataset and the chart; the entry is the caller’s own',
    audit: 'none',
    fails: ['invalid_payload', 'forbidden', 'not_found'],
  }),
  formData: defineRoute({
    ...read,
    path: '/api/v1/explore/form_data/:key',
    summary: 'Returns stored form data',
    params: ByKey,
    reply: openObject({ form_data: Type.String() }),
    can: ['can_read', formDataView],
    object: 'the dataset and the chart',
    fails: ['forbidden', 'not_found'],
  }),
  removeFormData: defineRoute({
    ...write,
    method: 'DELETE',
    path: '/api/v1/explore/form_data/:key',
    summary: 'Deletes stored form data',
    params: ByKey,
    body: 'none',
    reply: MessageBody,
    can: ['can_write', formDataView],
    object: 'the entry is the caller’s own',
    audit: 'none',
    fails: ['forbidden', 'not_found'],
  }),
  createPermalink: defineRoute({
    ...write,
    method: 'POST',
    path: '/api/v1/explore/permalink',
    success: [201],
    summary: 'Creates a permalink to the given state of a chart',
    body: ExplorePermalink,
    reply: openObject({ key: Type.String(), url: Type.String() }),
    can: ['can_write', 'ExplorePermalinkRestApi'],
    object: 'the dataset and the chart',
    audit: 'explore.permalink',
    fails: ['invalid_payload', 'not_found'],
  }),
  permalink: defineRoute({
    ...read,
    path: '/api/v1/explore/permalink/:key',
    summary: 'Returns the chart state of a permalink',
    params: ByKey,
    reply: openObject({ state: ExplorePermalink }),
    can: ['can_read', 'ExplorePermalinkRestApi'],
    object: 'the dataset and the chart',
    fails: ['not_found'],
  }),
}

const posted = {
  method: 'POST',
  summary: 'Opens a chart with the form data in the form field `form_data`',
  body: 'form',
  form: Type.Object({ form_data: Type.Optional(jsonField(AnyObject)) }),
  reply: 'page',
  success: [302],
  can: ['can_explore', 'Superset'],
  object: 'the dataset and the chart of the form data',
  rate: 'write',
  audit: 'none',
  csrf: 'token',
  errors: 'legacy',
  bodyLimit: 4 << 20,
  fails: ['bad_request', 'not_found'],
} as const

/** The Explore page as a target of forms. */
export const explorePages = {
  posted: defineRoute({ ...posted, path: '/superset/explore/' }),
  postedOfDataset: defineRoute({
    ...posted,
    path: '/superset/explore/:datasource_type/:datasource_id/',
    params: Type.Object({ datasource_type: datasourceType(), datasource_id: Type.Integer() }),
  }),
}
