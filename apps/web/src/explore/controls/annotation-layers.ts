import { readFormula } from '@parquetry/charts'
import type { AnnotationLayer } from '@parquetry/model'

export type LayerType = AnnotationLayer['annotationType']
export type LayerSource = 'NATIVE' | 'line' | 'table'

/** CHART-029, CHART-030: what each type is read from; a formula needs no source. */
export const sourcesByType: Record<LayerType, readonly LayerSource[]> = {
  FORMULA: [],
  EVENT: ['NATIVE', 'table'],
  INTERVAL: ['NATIVE', 'table'],
  TIME_SERIES: ['line'],
}

/** As the API's own client writes it, dashed where that draws a line as the data's. */
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

/** A stored layer; where it says no style it is drawn solid. */
export const withLayerDefaults = (layer: AnnotationLayer): AnnotationLayer => ({
  ...newLayer,
  style: 'solid',
  ...layer,
})

/** Keys of a chart's columns and of how it is asked: they mean nothing to another source. */
const sourceKeys = ['timeColumn', 'intervalEndColumn', 'titleColumn', 'descriptionColumns']

/** The layer with a value from elsewhere; what another source had is dropped. */
export function withSource(layer: AnnotationLayer, annotationType: LayerType, source?: LayerSource): AnnotationLayer {
  const sources = sourcesByType[annotationType]
  const kept = sources.find((each) => each === (source ?? layer.sourceType))
  const sourceType = kept ?? sources[0] ?? ''
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

/** What keeps a layer from being saved; empty when it is whole. */
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
