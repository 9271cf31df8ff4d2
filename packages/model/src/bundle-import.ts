import Type from 'typebox'
import type { Difference } from './differences.ts'
import { fileField, importForm } from './form.ts'
import { inflect } from './nouns.ts'
import { openObject } from './fields.ts'
import { defineRoute, type PermissionPair } from './route.ts'

/** Kinds of objects in a bundle, in the order in which they are imported. */
export const bundledKinds = [
  'theme',
  'css_template',
  'annotation_layer',
  'database',
  'dataset',
  'chart',
  'dashboard',
  'saved_query',
] as const
export type BundledKind = (typeof bundledKinds)[number]

/** Form fields with secrets, JSON objects by the path of the file of a database. */
export const importSecretFields = [
  'passwords',
  'ssh_tunnel_passwords',
  'ssh_tunnel_private_keys',
  'ssh_tunnel_private_key_passwords',
] as const
export type ImportSecretField = (typeof importSecretFields)[number]

/** One object of a bundle, and the action that an import takes or would take. */
export interface ImportedObject {
  /** Path of its file in the bundle. */
  path: string
  kind: BundledKind
  uuid: string
  name: string
  /** Id here; null while it does not exist here, or when the importer may not see it. */
  id: number | null
  /**
   * `new`: is created. `changed`: exists with other contents, and is replaced if it is chosen. `same`: exists with the same contents.
   * `kept`: exists, and a bundle of this type never changes it. `left_out`: is not imported.
   */
  state: 'new' | 'changed' | 'same' | 'kept' | 'left_out'
  /** Differences from the stored object; only in a preview, for changed objects. */
  differences?: Difference[]
  /** Secrets that must be sent with it. */
  secrets?: ImportSecretField[]
  /** Reasons why it cannot be imported; any of them stops the import. */
  problems?: string[]
  /** Remarks for the importer, such as settings that are kept but not used. */
  notes?: string[]
  /**
   * Paths of the objects of the bundle that it needs. The database of a dataset or saved query and the dataset of a chart must be
   * imported with it unless they exist; a dashboard is imported without those of its charts that are missing.
   */
  needs?: string[]
  /** A database that is kept although the server cannot connect to it. */
  unsupported?: true
}

export interface ImportSummary {
  /** `type` of the metadata of the bundle. */
  type: string
  objects: ImportedObject[]
}

/** How far an import is: lines of this type come before the answer when the caller accepts `application/x-ndjson`. */
export interface ImportProgress {
  step: 'reading' | 'checking' | 'writing'
  done: number
  /** 0 while unknown. */
  total: number
}

/** Last line of a streamed answer: what the call would have answered. */
export interface ImportEnd {
  status: number
  body: unknown
}

const Imported = openObject({
  message: Type.String(),
  parquetry: Type.Optional(Type.Unsafe<ImportSummary>({ type: 'object' })),
})

/** A bundle may unpack to more; `IMPORT_UPLOAD_LIMIT_MB` decides which ones are read. */
const bodyLimit = 512 << 20

const importRoute = <const N extends string>(name: N, can: PermissionPair, summary: string, object: string) =>
  defineRoute({
    method: 'POST',
    path: `/api/v1/${name}/import/`,
    summary,
    body: 'multipart',
    form: importForm,
    reply: Imported,
    can,
    object,
    rate: 'write',
    audit: `${name}.import`,
    csrf: 'token',
    errors: 'typed',
    bodyLimit,
    fails: ['not_json', 'bad_request', 'unprocessable', 'conflict'],
  })

const ofKind = <const N extends BundledKind>(name: N, view: string, more: string) =>
  importRoute(
    name,
    ['can_write', view],
    `Imports the ${inflect(name).many} of a bundle${more}`,
    'existing objects are replaced only with `overwrite`, and need the same rights as changing them',
  )

/**
 * `POST /api/v1/<resource>/import/`: a bundle in the form field `formData`. Objects are matched by UUID and written in one
 * transaction. Beyond the API: with `preview` nothing is written and the summary tells what would be; `only` is a JSON list of
 * paths that may be created or replaced, other objects of the bundle are used if they exist here; `only_new` lists those that may
 * not be replaced, so that nothing is overwritten that came after a preview.
 */
export const importRoutes = {
  theme: ofKind('theme', 'Theme', ''),
  css_template: ofKind('css_template', 'CssTemplate', ''),
  annotation_layer: ofKind('annotation_layer', 'Annotation', ''),
  database: ofKind('database', 'Database', ' with their datasets'),
  dataset: ofKind('dataset', 'Dataset', ' with their databases'),
  chart: ofKind('chart', 'Chart', ' with their datasets and databases'),
  dashboard: ofKind('dashboard', 'Dashboard', ' with their charts, datasets and databases'),
  saved_query: ofKind('saved_query', 'SavedQuery', ' as the caller’s own, with their databases'),
  /** Field `bundle` or `formData`; always replaces existing objects. */
  assets: importRoute(
    'assets',
    ['can_import_', 'ImportExportRestApi'],
    'Imports all objects of a bundle, and replaces existing ones',
    'every object needs the same rights as creating or changing it',
  ),
} as const

/**
 * The import form of releases before 4.0, whose page is the list of dashboards today: the file is in the field `file`, and existing
 * dashboards are replaced.
 */
export const dashboardImportForm = defineRoute({
  method: 'POST',
  path: '/superset/import_dashboards/',
  summary: 'Imports dashboards from the form of older releases, and leads to the list of dashboards',
  body: 'multipart',
  form: Type.Object({ ...importForm.properties, file: Type.Optional(fileField()) }),
  reply: 'page',
  success: [302],
  can: ['can_import_dashboards', 'Superset'],
  object: 'every object needs the same rights as creating or changing it',
  rate: 'write',
  audit: 'dashboard.import',
  csrf: 'token',
  errors: 'typed',
  bodyLimit,
  fails: ['not_json', 'bad_request', 'unprocessable', 'conflict'],
})
