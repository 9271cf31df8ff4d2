import type { Frame } from '@parquetry/frame'
import type { AnnotationData, QueryObject } from '@parquetry/model'
import type { ChartForm } from '../define.ts'

/** Ends of a form's time range in milliseconds since 1970, the first one included; null is open. */
export interface TimeBounds {
  from: number | null
  to: number | null
}

/** An entry of `adhoc_filters` of a form. */
export interface FormFilter {
  clause: 'WHERE'
  expressionType: 'SIMPLE'
  comparator: string
  operator: string
  subject: string
}

/** What every type says. */
interface LegacyTypeBase {
  /**
   * The question of a form: columns, metrics, order and limits of its own, laid over what every form shares.
   * @throws AppError `bad_request` with a sentence for a form that asks nothing
   */
  query(form: ChartForm, ends: TimeBounds): Partial<QueryObject>
  /** Filters that the type itself puts to those of the form. */
  extraFilters?(form: ChartForm): FormFilter[]
}

/** A type that is answered by the rows of its question. */
export interface RowsType extends LegacyTypeBase {
  /**
   * `data` of the answer, plain JSON but for integers beyond 2^53, which are bigint.
   * @param frame  rows of the question as the database gave them, at least one
   * @throws AppError `bad_request` for rows that cannot be shown so
   */
  data(frame: Frame, form: ChartForm, ends: TimeBounds): unknown
  /** Fetches what `data` needs beside the rows. */
  load?(): Promise<void>
  /** Names that the answer gives the columns of its rows, where `data` gave them other ones. */
  colnames?(frame: Frame, form: ChartForm): string[]
  /** Of a type that asks several questions: a form for each, by the name that its part has in `data`. */
  subforms?(form: ChartForm): Record<string, ChartForm>
}

/** A type that lays other charts over each other: `data` is made of what these hold, by the names of their layers. */
export interface LayeredType extends LegacyTypeBase {
  dataFromLayers(layers: Readonly<Record<string, AnnotationData>>, form: ChartForm): unknown
}

/** How the older call (`explore_json`) answers a form of one older type. */
export type LegacyType = RowsType | LayeredType
