import { chartEntry, readFormula, readAnnotationLayers, type ChartForm } from '@parquetry/charts'
import type { AnnotationResults, AnnotationLayer } from '@parquetry/model'
import type { Translate } from '@parquetry/ui'

export interface LayerError {
  name: string
  error: string
}

/** Lists the layers of a form that could not be drawn, with the server's message or the fault of the layer itself. */
export function findLayerErrors(form: ChartForm, answers: AnnotationResults | undefined, t: Translate): LayerError[] {
  const isAnnotated = chartEntry(String(form['viz_type']))?.annotated === true
  const layers = isAnnotated ? readAnnotationLayers(form['annotation_layers']).filter(({ show }) => show !== false) : []
  const own = layers.flatMap((layer) => {
    const error = findLayerError(layer, answers, t)
    return error === null ? [] : [{ name: layer.name, error }]
  })
  // A chart may request layers that its form does not list: the charts that it is composed of.
  const names = new Set(layers.map(({ name }) => name))
  const others = Object.entries(answers?.errors ?? {}).filter(([name]) => !names.has(name))
  return [...own, ...others.map(([name, error]) => ({ name, error: errorText(error, t) }))]
}

/** The API prefixes database messages with it. */
const withoutPrefix = (message = ''): string => message.replace(/^Error: /, '')

const errorText = (error: string | undefined, t: Translate): string =>
  withoutPrefix(error) || t('annotations.network', 'Network error.')

function findLayerError(layer: AnnotationLayer, answers: AnnotationResults | undefined, t: Translate): string | null {
  if (layer.annotationType === 'FORMULA')
    return readFormula(String(layer.value ?? '')) ? null : t('annotations.formula.bad', 'Not a valid formula of x')
  const { data = {}, errors = {} } = answers ?? {}
  if (Object.hasOwn(errors, layer.name)) return errorText(errors[layer.name], t)
  const [first] = (Object.hasOwn(data, layer.name) ? data[layer.name]?.records : undefined) ?? []
  if (!first || layer.sourceType !== 'table') return null
  const needed = [layer['timeColumn'], ...(layer.annotationType === 'INTERVAL' ? [layer['intervalEndColumn']] : [])]
  const missing = needed.find((column) => !Object.hasOwn(first, String(column)))
  if (missing === undefined && needed.every(Boolean)) return null
  return missing
    ? t('annotations.column.gone', 'The source chart has no column {column}', { column: String(missing) })
    : t('annotations.column.unset', 'No time column chosen')
}
