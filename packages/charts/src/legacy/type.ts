import type { Frame } from '@parquetry/frame'
import type { AnnotationData, QueryObject } from '@parquetry/model'
import type { ChartForm } from '../define.ts'

/** Bounds of a form's time range in milliseconds since 1970, the first one inclusive; null is open. */
export interface TimeBounds {
  from: number | null
  to: number | null
}

/** An entry of a form's `adhoc_filters`. */
export interface FormFilter {
  clause: 'WHERE'
  expressionType: 'SIMPLE'
  comparator: string
  operator: string
  subject: string
}

/** Definition common to all types. */
interface LegacyTypeBase {
  /**
   * Builds the query of a form: its own columns, metrics, order and limits, merged over the common part.
   * @throws AppError `bad_request` with a message for an incomplete form
   */
  query(form: ChartForm, ends: TimeBounds): Partial<QueryObject>
  /** Filters that the type adds to those of the form. */
  extraFilters?(form: ChartForm): FormFilter[]
}

/** A type whose data is built from the rows of its query. */
export interface RowsType extends LegacyTypeBase {
  /**
   * Returns `data` of the response: plain JSON, except that integers beyond 2^53 are bigint.
   * @param frame  rows of the query as returned by the database, at least one
   * @throws AppError `bad_request` for rows that cannot be shown
   */
  data(frame: Frame, form: ChartForm, ends: TimeBounds): unknown
  /** Loads resources that `data` needs besides the rows. */
  load?(): Promise<void>
  /** Column names of the response, if `data` renames the columns of the rows. */
  colnames?(frame: Frame, form: ChartForm): string[]
  /** For a type with several queries: one form per query, by its name in `data`. */
  subforms?(form: ChartForm): Record<string, ChartForm>
}

/** A type that overlays other charts: `data` is built from theirs, by layer name. */
export interface LayeredType extends LegacyTypeBase {
  dataFromLayers(layers: Readonly<Record<string, AnnotationData>>, form: ChartForm): unknown
}

/** Implementation of one legacy type for the legacy endpoint (`explore_json`). */
export type LegacyType = RowsType | LayeredType
