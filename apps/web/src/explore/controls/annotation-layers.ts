import { readFormula } from '@parquetry/charts'
import type { AnnotationLayer } from '@parquetry/model'

export type LayerType = AnnotationLayer['annotationType']
export type LayerSource = 'NATIVE' | 'line' | 'table'

/** CHART-029, CHART-030: sources of each layer type; a formula has none. */
export const sourcesByType: Record<LayerType, readonly LayerSource[]> = {
  FORMULA: [],
  EVENT: ['NATIVE', 'table'],
  INTERVAL: ['NATIVE', 'table'],
  TIME_SERIES: ['line'],
}

/** A new layer with the keys of the API's own client, but dashed instead of solid like the lines of the data. */
export const newLayer: AnnotationLayer = {
  name: '',
  annotationType: 'FORMULA',
  sourceType: '',
  value: '',
  style: 'dashed',
  opacity: '',
  color: null,
  width: 1,
  show: true,
  showLabel: false,
  showMarkers: false,
  hideLine: false,
  overrides: {},
}

/** A stored layer with defaults; a layer without a style is solid. */
export const withLayerDefaults = (layer: AnnotationLayer): AnnotationLayer => ({
  ...newLayer,
  style: 'solid',
  ...layer,
})

/** Keys that depend on the source, and do not apply to another one. */
const sourceKeys = ['timeColumn', 'intervalEndColumn', 'titleColumn', 'descriptionColumns']

/** Changes the type or source of a layer, and drops values of the previous source. */
export function withSource(layer: AnnotationLayer, annotationType: LayerType, source?: LayerSource): AnnotationLayer {
  const sources = sourcesByType[annotationType]
  const keptSource = sources.find((each) => each === (source ?? layer.sourceType))
  const sourceType = keptSource ?? sources[0] ?? ''
  if (sourceType === layer.sourceType && (sourceType !== '' || layer.annotationType === annotationType))
    return { ...layer, annotationType }
  const own = Object.entries(layer).filter(([key]) => !sourceKeys.includes(key))
  return { ...(Object.fromEntries(own) as AnnotationLayer), annotationType, sourceType, value: '', overrides: {} }
}

export const withOverride = (layer: AnnotationLayer, name: string, value: unknown): AnnotationLayer => {
  const { [name]: _, ...others } = layer.overrides ?? {}
  return { ...layer, overrides: value === undefined ? others : { ...others, [name]: value } }
}

export type LayerField = 'name' | 'value' | 'timeColumn' | 'intervalEndColumn'

/** Validation errors of a layer; empty when it can be saved. */
export function validateLayer(
  layer: AnnotationLayer,
  others: readonly string[],
): Partial<Record<LayerField, 'required' | 'taken' | 'formula'>> {
  const { name, annotationType, sourceType, value } = layer
  const isFormula = annotationType === 'FORMULA'
  const isTable = sourceType === 'table'
  return {
    ...(name.trim() === '' ? { name: 'required' } : others.includes(name.trim()) && { name: 'taken' }),
    ...(value === '' || value === null || value === undefined
      ? { value: 'required' }
      : isFormula && !readFormula(String(value)) && { value: 'formula' }),
    ...(isTable && !layer['timeColumn'] && { timeColumn: 'required' }),
    ...(isTable && annotationType === 'INTERVAL' && !layer['intervalEndColumn'] && { intervalEndColumn: 'required' }),
  }
}
