import type { AnnotationLayer } from '@parquetry/model'

/** The charts that a form names, as layers that the server reads: each with the form that draws it. */
export const buildMapLayers = (ids: readonly (number | string)[]): AnnotationLayer[] =>
  ids.map((id) => ({
    name: String(id),
    annotationType: 'EVENT',
    sourceType: 'table',
    withForm: true,
    value: Number(id),
    show: true,
    showMarkers: false,
  }))
