import { chartEntry, readFormula, readLayers, type ChartForm } from '@parquetry/charts'
import type { AnnotationAnswers, AnnotationLayer } from '@parquetry/model'
import type { Translate } from '@parquetry/ui'

export interface LayerError {
  name: string
  error: string
}

/** Which layers of a form could not be drawn, and why: the server's words, and what a layer itself lacks. */
export function layerErrors(form: ChartForm, answers: AnnotationAnswers | undefined, t: Translate): LayerError[] {
  const isAnnotated = chartEntry(String(form['viz_type']))?.annotated === true
  const layers = isAnnotated ? readLayers(form['annotation_layers']).filter(({ show }) => show !== false) : []
  const own = layers.flatMap((layer) => {
    const error = errorOf(layer, answers, t)
    return error === null ? [] : [{ name: layer.name, error }]
  })
  // A chart may ask for layers that its form does not call so: other charts that it is made of.
  const names = new Set(layers.map(({ name }) => name))
  const others = Object.entries(answers?.errors ?? {}).filter(([name]) => !names.has(name))
  return [...own, ...others.map(([name, error]) => ({ name, error: wordsOf(error, t) }))]
}

/** The API begins with it what a database says. */
const withoutPrefix = (message = ''): string => message.replace(/^Error: /, '')

const wordsOf = (error: string | undefined, t: Translate): string =>
  withoutPrefix(error) || t('annotations.network', 'Network error.')

function errorOf(layer: AnnotationLayer, answers: AnnotationAnswers | undefined, t: Translate): string | null {
  if (layer.annotationType === 'FORMULA')
    return readFormula(String(layer.value ?? '')) ? null : t('annotations.formula.bad', 'Not a valid formula of x')
  const { data = {}, errors = {} } = answers ?? {}
  if (Object.hasOwn(errors, layer.name)) return wordsOf(errors[layer.name], t)
  const [first] = (Object.hasOwn(data, layer.name) ? data[layer.name]?.records : undefined) ?? []
  if (!first || layer.sourceType !== 'table') return null
  const needed = [layer['timeColumn'], ...(layer.annotationType === 'INTERVAL' ? [layer['intervalEndColumn']] : [])]
  const missing = needed.find((column) => !Object.hasOwn(first, String(column)))
  if (missing === undefined && needed.every(Boolean)) return null
  return missing
    ? t('annotations.column.gone', 'The source chart has no column {column}', { column: String(missing) })
    : t('annotations.column.unset', 'No time column chosen')
}
