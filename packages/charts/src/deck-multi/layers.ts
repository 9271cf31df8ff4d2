import type { AnnotationLayer } from '@parquetry/model'

/** Returns the charts named in a form as layers for the server, each with the form that draws it. */
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
