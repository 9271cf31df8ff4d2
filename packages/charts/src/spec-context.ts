import { labelOfMetric, resolveDisplayName, type AnnotationData, type QueryMetric } from '@parquetry/model'
import type { ChartForm, DatasetFacts, SpecContext } from './define.ts'
import { resolveColorScale, type ColorScale } from './shared/colors/scale.ts'
import { withCurrency, type Currency } from './shared/formats/format.ts'
import { createTranslator, type Messages } from './resolve/text.ts'

/** Names and formats of a chart's dataset, with field names of the API's dataset object. */
export interface DatasetDisplay extends Partial<Pick<DatasetFacts, 'columns'>> {
  verbose_map?: Record<string, string | null>
  column_formats?: Record<string, string | null>
  currency_formats?: Record<string, unknown>
  metrics?: readonly { metric_name: string; expression?: string | null }[]
}

export interface SpecContextOptions {
  dataset?: DatasetDisplay | undefined
  /** Colors of a dashboard; by default the form's scheme. */
  colors?: ColorScale | undefined
  /** See `ColorScaleOptions`. */
  isAnalogous?: boolean | undefined
  messages?: Messages | undefined
  locale?: string | undefined
  timeZone?: string | undefined
  until?: number | null | undefined
  annotations?: Readonly<Record<string, AnnotationData>> | undefined
}

const formatKeys = ['y_axis_format', 'number_format', 'valueFormat']

/** Returns the look of a form on its dataset, as `spec` expects it. */
export function buildSpecContext(form: ChartForm, options: SpecContextOptions = {}): SpecContext {
  const { dataset = {}, messages = {}, locale = 'en', timeZone = 'UTC', until = null, annotations = {} } = options
  const { isAnalogous = false } = options
  const { verbose_map = {}, column_formats = {}, currency_formats = {}, metrics = [] } = dataset
  const say = createTranslator({ messages, locale })
  const ofForm = {
    format: formatKeys.map((key) => form[key]).find((name) => typeof name === 'string' && name !== ''),
    currency: form.currency_format,
  }
  const colors = options.colors ?? resolveColorScale(form, {}, { isAnalogous })
  /** Metrics by the names under which they are shown, for those whose color is stored under their label. */
  const labels = new Map<string, string>()
  const toLabel = (shown: string): string => {
    const [first = ''] = shown.split(', ', 1)
    const label = labels.get(first)
    return label === undefined ? shown : label + shown.slice(first.length)
  }
  return {
    colorsOf: (shown) => {
      const colorOf = colors(shown.map(toLabel))
      return (name) => colorOf(toLabel(name))
    },
    isAnalogous,
    formatOf: (metric: QueryMetric, { format, currency } = ofForm) => {
      const label = labelOfMetric(metric)
      const isAdaptive = typeof format !== 'string' || format === '' || format === 'SMART_NUMBER'
      return withCurrency(
        (isAdaptive ? entry(column_formats, label) : format) ?? 'SMART_NUMBER',
        readCurrency(currency) ?? readCurrency(entry(currency_formats, label)),
      )
    },
    displayName: (name) => {
      const shown = resolveDisplayName(name, verbose_map, say)
      // Documents store the colors of saved metrics under their verbose name.
      if (shown !== name && !entry(verbose_map, name)) labels.set(shown, name)
      return shown
    },
    expressionOf: (name) => metrics.find(({ metric_name }) => metric_name === name)?.expression ?? null,
    messages,
    locale,
    timeZone,
    until,
    annotations,
  }
}

const entry = <T>(map: Record<string, T>, key: string): T | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined

const readCurrency = (value: unknown): Currency | undefined => {
  const { symbol, symbolPosition } = (value ?? {}) as Partial<Currency>
  return symbol ? { symbol, symbolPosition: symbolPosition === 'suffix' ? 'suffix' : 'prefix' } : undefined
}
