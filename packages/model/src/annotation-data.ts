/** An entry of `annotation_layers` of a form or a query object. Unknown keys of other tools are preserved. */
export interface AnnotationLayer extends Record<string, unknown> {
  name: string
  annotationType: 'FORMULA' | 'EVENT' | 'INTERVAL' | 'TIME_SERIES'
  /** Source of the layer: stored annotations or another chart; empty for a formula. */
  sourceType?: '' | 'NATIVE' | 'line' | 'table' | null
  /** Text of the formula, id of the layer, or id of the chart. */
  value?: unknown
  show?: boolean
  overrides?: Record<string, unknown> | null
  /** Parquetry extension: also returns the form of the chart, for maps that overlay charts. */
  withForm?: boolean
  /** Parquetry extension: bypasses the cache for this layer. */
  force?: boolean
}

/** Data of a layer's source, with times in milliseconds. Charts have no `columns`; the keys of their records are the columns. */
export interface AnnotationData {
  columns?: readonly string[]
  records: readonly Record<string, unknown>[]
  /** Name of the source chart. */
  slice_name?: string | null
  /** Form of the source chart, present when it was requested with `withForm`. */
  form_data?: Record<string, unknown>
}

/** Layers of a query by name: data of the readable ones, errors of the others. */
export interface AnnotationResults {
  data: Record<string, AnnotationData>
  errors: Record<string, string>
}
