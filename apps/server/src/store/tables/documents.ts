import type { ImageType } from '@parquetry/model'
import type { Generated } from 'kysely'
import type { Audit } from './audit.ts'

export interface ChartTable extends Audit {
  id: Generated<number>
  uuid: string
  slice_name: string
  viz_type: string
  datasource_id: number
  datasource_type: string
  datasource_name: string | null
  /** Form data, JSON text as received. */
  params: string | null
  query_context: string | null
  description: string | null
  cache_timeout: number | null
  certified_by: string | null
  certification_details: string | null
  is_managed_externally: number
  external_url: string | null
  last_saved_at: string | null
  last_saved_by_fk: number | null
  /** Fields of an imported document that the product does not know, JSON text. */
  other_fields: Generated<string | null>
}

export interface DashboardTable extends Audit {
  id: Generated<number>
  uuid: string
  dashboard_title: string | null
  slug: string | null
  position_json: string | null
  json_metadata: string | null
  css: string | null
  description: string | null
  published: number
  certified_by: string | null
  certification_details: string | null
  is_managed_externally: number
  external_url: string | null
  theme_id: Generated<number | null>
  /** Fields of an imported document that the product does not know, JSON text. */
  other_fields: Generated<string | null>
}

/** A dashboard that may be embedded in other pages. */
export interface EmbeddedDashboardTable extends Audit {
  uuid: string
  dashboard_id: number
  /** JSON list of origins; empty allows any. */
  allowed_domains: string
}

/**
 * An image in the text of a dashboard, or of one of its versions. It lives as long as the dashboard, including its time in the
 * trash.
 */
export interface DashboardFileTable {
  dashboard_id: number
  /** SHA-256 of the bytes. */
  hash: string
  media_type: ImageType
  width: number | null
  height: number | null
  size: number
  created_on: string
  created_by_fk: number | null
  bytes: Buffer
}

/** A named state of a dashboard's filters. */
export interface FilterSetTable extends Audit {
  id: Generated<number>
  uuid: string
  name: string
  description: string | null
  /** Owner: a user, or the dashboard, whose filter sets all its viewers can apply. */
  owner_type: 'User' | 'Dashboard'
  owner_id: number
  dashboard_id: number
  /** JSON text: `{ nativeFilters, dataMask }`. */
  json_metadata: string
}

export interface CssTemplateTable extends Audit {
  id: Generated<number>
  uuid: string
  template_name: string | null
  css: string | null
  /** Fields of an imported document that the product does not know, JSON text. */
  other_fields: Generated<string | null>
}

/** Colors, fonts and radii of pages or dashboards. */
export interface ThemeTable extends Audit {
  id: Generated<number>
  uuid: string
  theme_name: string
  /** JSON text without unsafe values. */
  json_data: string
  /** Defined by the configuration. */
  is_system: number
  is_system_default: number
  is_system_dark: number
  /** Fields of an imported document that the product does not know, JSON text. */
  other_fields: Generated<string | null>
}

/** Chart types that administrators add. */
export interface DynamicPluginTable extends Audit {
  id: Generated<number>
  name: string
  viz_type: string
  /** JSON text: `PluginForm`. */
  form: string
  module: string
  sha256: string
}

export interface AnnotationLayerTable extends Audit {
  id: Generated<number>
  uuid: string
  name: string
  descr: string | null
  /** Fields of an imported document that the product does not know, JSON text. */
  other_fields: Generated<string | null>
}

export interface AnnotationTable extends Audit {
  id: Generated<number>
  uuid: string
  layer_id: number
  short_descr: string
  long_descr: string | null
  start_dttm: string
  end_dttm: string
  json_metadata: string | null
}

/** The document of an object after each change: the last 50 versions, and one per day for a year. */
export interface VersionTable {
  id: Generated<number>
  kind: string
  object_uuid: string
  /** Distinguishes the object from another one that had the same uuid before or after. */
  object_id: number | null
  n: number
  author_id: number | null
  at: string
  document: string
}

/** A deleted object with all its dependent rows, until it is restored or 30 days have passed. */
export interface TrashTable {
  kind: string
  object_id: number
  uuid: string
  name: string
  /** JSON: the row, and the rows of other tables that were deleted with it. */
  document: string
  deleted_on: string
  deleted_by_fk: number | null
}
