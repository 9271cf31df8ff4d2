import Type from 'typebox'
import { inflect } from './nouns.ts'
import { IdsQuery } from './resource.ts'
import { defineRoute } from './route.ts'

const exportRoute = <const N extends string, const V extends string>(name: N, view: V, action = 'can_export') =>
  defineRoute({
    method: 'GET',
    path: `/api/v1/${name}/export/`,
    summary: `Exports ${inflect(name).many} and the objects they depend on as a ZIP file`,
    /** Name of a cookie that is set when the response starts, so that the waiting page can detect it. */
    query: Type.Object({ token: Type.Optional(Type.String()) }),
    rison: IdsQuery,
    body: 'none',
    reply: 'bytes',
    can: [action, view],
    object: 'each object must be visible; dependencies are limited to what the caller may see',
    rate: 'query',
    audit: `${name}.export`,
    csrf: 'none',
    errors: 'plain',
    fails: ['bad_request', 'not_found'],
  })

/** `GET /api/v1/assets/export/`: one bundle of everything that the caller may see. */
export const assetsExport = defineRoute({
  method: 'GET',
  path: '/api/v1/assets/export/',
  summary: 'Exports all objects that the caller may see as a ZIP file',
  query: Type.Object({ token: Type.Optional(Type.String()) }),
  body: 'none',
  reply: 'bytes',
  can: ['can_export', 'ImportExportRestApi'],
  object: 'only objects that the caller may see, and saved queries of the caller',
  rate: 'query',
  audit: 'assets.export',
  csrf: 'none',
  errors: 'plain',
  fails: ['bad_request', 'unprocessable'],
})

/** The page of releases before 6.0 that downloaded dashboards, `?id=1&id=2&action=go`. It leads to the file, or to the list without ids. */
export const dashboardExportForm = defineRoute({
  method: 'GET',
  path: '/dashboard/export_dashboards_form',
  summary: 'Redirects to the export of the dashboards in `id`, which may be repeated',
  query: Type.Object({ id: Type.Optional(Type.String()) }, { additionalProperties: true }),
  body: 'none',
  reply: 'page',
  success: [302],
  can: ['can_read', 'Dashboard'],
  object: 'none: the export checks the dashboards',
  rate: 'read',
  audit: 'none',
  csrf: 'none',
  errors: 'plain',
  fails: ['bad_request'],
})

/** Exports in Superset's bundle format. */
export const exportRoutes = {
  chart: exportRoute('chart', 'Chart'),
  dashboard: exportRoute('dashboard', 'Dashboard'),
  dataset: exportRoute('dataset', 'Dataset'),
  database: exportRoute('database', 'Database'),
  saved_query: exportRoute('saved_query', 'SavedQuery'),
  theme: exportRoute('theme', 'Theme', 'can_mulexport'),
  css_template: exportRoute('css_template', 'CssTemplate', 'can_read'),
  annotation_layer: exportRoute('annotation_layer', 'Annotation', 'can_read'),
}
