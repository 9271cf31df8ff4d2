/** An entry of `annotation_layers` of a form or a query object. Open: keys of other tools are kept. */
export interface AnnotationLayer extends Record<string, unknown> {
  name: string
  annotationType: 'FORMULA' | 'EVENT' | 'INTERVAL' | 'TIME_SERIES'
  /** The store's own annotations, or another chart; empty for a formula. */
  sourceType?: '' | 'NATIVE' | 'line' | 'table' | null
  /** Text of the formula, id of the layer, or id of the chart. */
  value?: unknown
  show?: boolean
  overrides?: Record<string, unknown> | null
  /** Ours: the form of its chart comes along, for a map that lays charts over each other. */
  withForm?: boolean
  /** Ours: this layer is read past the cache. */
  force?: boolean
}

/** What a layer's source holds: times in milliseconds. A chart names no columns, the keys of its records are them. */
export interface AnnotationData {
  columns?: readonly string[]
  records: readonly Record<string, unknown>[]
  /** Of another chart: how it is called. */
  slice_name?: string | null
  /** Of a chart that was asked `withForm`: how it draws them. */
  form_data?: Record<string, unknown>
}

/** The layers of a query by name: those that could be read, and why the others could not. */
export interface AnnotationResults {
  data: Record<string, AnnotationData>
  errors: Record<string, string>
}
