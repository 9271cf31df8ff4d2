import { cellAt, genericOf, numberAt, textAt, type Cell, type Frame } from '@parquetry/frame'
import { labelOfColumn, labelOfMetric, type QueryColumn, type QueryMetric, type QueryObject } from '@parquetry/model'
import type { ChartForm, SpecContext } from '../../define.ts'
import { unique } from '../../query/base-query.ts'
import { createTranslator } from '../../resolve/text.ts'
import { findColumn } from '../column.ts'
import { dimensionFormatter } from '../items.ts'
import { toHex } from '../colors/color.ts'
import { formatter } from '../formats/format.ts'
import type { Rgb } from './controls.ts'
import type {
  BinAggregate,
  BinsLayer,
  Contour,
  Corner,
  LayerColor,
  ColorEncoding,
  MapSpec,
  LocationSource,
  ShapeColumn,
  TooltipField,
  Viewport,
} from './layers.ts'
import { columnsOfLocation } from './location.ts'

/** Reads a stored location: the object of the API, whose unused fields may have any value. */
export function readLocationSource(stored: unknown): LocationSource | null {
  const place = stored as (LocationSource & { reverseCheckbox?: unknown }) | null | undefined
  if (!place) return null
  if (place.type === 'delimited') return { ...place, reverseCheckbox: place.reverseCheckbox === true }
  if (place.type === 'latlong' && place.reverseCheckbox === true)
    return { type: 'latlong', latCol: place.lonCol, lonCol: place.latCol }
  return place
}

export const listLocationColumns = (stored: unknown): string[] => {
  const place = readLocationSource(stored)
  return place ? columnsOfLocation(place) : []
}

/**
 * Builds a query for one row per distinct combination of the columns, with or without metrics. At the row limit, those with the
 * largest values of the first metric remain.
 */
export function mapLayerQuery(
  columns: readonly (QueryColumn | null | undefined)[],
  metrics: readonly (QueryMetric | null | undefined)[],
  row_limit: number,
): Partial<QueryObject> {
  const present = metrics.filter((metric) => metric !== null && metric !== undefined)
  const [first] = present
  return {
    ...rawRowsQuery(columns, row_limit),
    metrics: unique(present, labelOfMetric),
    ...(first !== undefined && { orderby: [[first, false]] }),
  }
}

/** Builds a query for rows as they are, for points that are clustered or shapes of types that an engine may not be able to compare. */
export const rawRowsQuery = (
  columns: readonly (QueryColumn | null | undefined)[],
  row_limit: number,
): Partial<QueryObject> => ({
  columns: unique(
    columns.filter((column) => column !== null && column !== undefined),
    labelOfColumn,
  ),
  metrics: null,
  orderby: [],
  row_limit,
})

/** Adds filters that exclude rows without a location, like the clients of the API. */
export function withNotNullFilters(form: ChartForm, columns: readonly (QueryColumn | null | undefined)[]): ChartForm {
  if (form.filter_nulls === false) return form
  const given = Array.isArray(form.adhoc_filters) ? (form.adhoc_filters as unknown[]) : []
  const names = [...new Set(columns.filter((column) => typeof column === 'string'))]
  return {
    ...form,
    adhoc_filters: [
      ...given,
      ...names.map((subject) => ({ expressionType: 'SIMPLE', clause: 'WHERE', subject, operator: 'IS NOT NULL' })),
    ],
  }
}

/** Returns the metric of a setting that is a fixed number or a metric. */
export const metricOf = (setting: unknown): QueryMetric | null => {
  const { type, value } = (setting ?? {}) as { type?: string; value?: QueryMetric }
  return type === 'metric' && value ? value : null
}

/** Returns the number of such a setting, 100 when it is empty (CTRL-105), or the metric's column. */
export function numberOrColumn(setting: unknown): { fixed: number } | { column: string } {
  const metric = metricOf(setting)
  if (metric) return { column: labelOfMetric(metric) }
  const number = Number((setting as { value?: unknown } | null)?.value)
  return { fixed: Number.isFinite(number) && number > 0 ? number : 100 }
}

export const toLayerColor = (stored: Rgb, alpha = stored.a ?? 1): LayerColor => ({ paint: toHex(stored), alpha })

/** Returns one color for all, or one for each label of a dimension. */
export function colorByDimension(
  frame: Frame | undefined,
  { dimension, color, format }: { dimension: QueryColumn | null | undefined; color: Rgb; format: string },
  context: SpecContext,
): ColorEncoding {
  const column = dimension && frame && findColumn(frame, labelOfColumn(dimension))
  if (!column || !frame) return { by: 'one', color: toLayerColor(color) }
  const firsts = new Map<string | null, number>()
  for (let row = 0; row < frame.rows; row++) {
    const value = textAt(column, row)
    if (!firsts.has(value)) firsts.set(value, row)
  }
  const values = [...firsts.keys()].slice(0, maxColors)
  const isNumber = genericOf(column) === 0 && format !== 'SMART_NUMBER'
  const write = isNumber
    ? formatter(format, context.locale)
    : (cell: Cell) => dimensionFormatter(context, 'smart_date')(column, cell)
  const names = values.map((value) => write(cellAt(column, firsts.get(value) ?? 0)))
  const colorOf = context.colorsOf(names)
  return {
    by: 'label',
    column: column.name,
    values,
    colors: names.map((name) => ({ paint: colorOf(name), alpha: color.a ?? 1, name })),
  }
}

/** More labels than this cannot be distinguished, so the rest get the first color. */
const maxColors = 1000

/** Returns columns of a response as lines of a tooltip, under their verbose names. */
export function buildTooltipFields(
  columns: readonly (QueryColumn | null | undefined)[],
  metrics: readonly (QueryMetric | null | undefined)[],
  context: SpecContext,
): TooltipField[] {
  const dimensions = columns
    .filter((column) => column !== null && column !== undefined)
    .map(labelOfColumn)
    .map((column) => ({ column, name: context.displayName(column), format: 'PLAIN_NUMBER' }))
  const measures = metrics
    .filter((metric) => metric !== null && metric !== undefined)
    .map((metric) => ({
      column: labelOfMetric(metric),
      name: context.displayName(labelOfMetric(metric)),
      format: context.formatOf(metric),
    }))
  return [...new Map([...dimensions, ...measures].map((tip) => [tip.column, tip])).values()]
}

const scripts = ['js_data_mutator', 'js_tooltip', 'js_onclick_href']

/** Builds the part that all maps share: initial view, legend, and notes about ignored settings. */
export function buildMapSpec(layers: MapSpec['layers'], settings: ChartForm, context: SpecContext): MapSpec {
  const hasScript = scripts.some((name) => typeof settings[name] === 'string' && settings[name].trim() !== '')
  return {
    layers,
    viewport: settings.autozoom === true ? null : readViewport(settings.viewport),
    ...(settings.mapbox_style !== undefined && { style: settings.mapbox_style }),
    // Forms of bins have no setting for the legend, and colors without a scale have no meaning.
    legend:
      (settings.legend_position as Corner | null | undefined) ??
      (layers.some(({ kind }) => kind === 'bins') ? 'tr' : null),
    notes: hasScript
      ? [
          createTranslator(context)(
            'picture.map.scripts',
            'This chart contains custom JavaScript. It is stored but not run, because it could read everything the user viewing the chart has access to.',
          ),
        ]
      : [],
  }
}

function readViewport(stored: unknown): Viewport | null {
  if (!stored) return null
  const { longitude, latitude, zoom, bearing = 0, pitch = 0 } = stored as Partial<Viewport>
  return longitude === undefined || latitude === undefined || zoom === undefined
    ? null
    : { longitude, latitude, zoom, bearing, pitch }
}

export const uniqueLabels = (columns: readonly (QueryColumn | null | undefined)[]): string[] => [
  ...new Set(columns.filter((column) => column !== null && column !== undefined).map(labelOfColumn)),
]

export const readShapeColumn = (settings: {
  line_column: QueryColumn
  line_type: ShapeColumn['type']
  reverse_long_lat: boolean
}): ShapeColumn => ({
  column: labelOfColumn(settings.line_column),
  type: settings.line_type,
  isLatFirst: settings.reverse_long_lat,
})

/** Builds the part that all layers of weighted locations share; empty without a location. */
export function weightedLayerBase(
  settings: { spatial?: unknown; size?: QueryMetric | null; number_format?: string },
  context: SpecContext,
) {
  const location = readLocationSource(settings.spatial)
  const { size, number_format: format = 'SMART_NUMBER' } = settings
  if (!location) return []
  return [
    {
      frame: 'rows',
      location,
      weight: size ? labelOfMetric(size) : null,
      format: size && format === 'SMART_NUMBER' ? context.formatOf(size) : format,
      name: size
        ? context.displayName(labelOfMetric(size))
        : createTranslator(context)('picture.map.locations', 'Locations'),
      tooltip: [],
      keys: [],
    },
  ]
}

interface BinsSettings {
  spatial?: unknown
  size?: QueryMetric | null
  number_format: string
  grid_size: number
  js_agg_function: BinAggregate
  extruded: boolean
  linear_color_scheme: string
  opacity: number
}

const binSteps = 6

export const binsLayer = (settings: BinsSettings, shape: BinsLayer['shape'], context: SpecContext): BinsLayer[] =>
  weightedLayerBase(settings, context).map((layer) => ({
    ...layer,
    kind: 'bins',
    shape,
    cellSize: settings.grid_size,
    aggregate: settings.js_agg_function,
    scheme: settings.linear_color_scheme,
    steps: binSteps,
    alpha: settings.opacity / 100,
    isExtruded: settings.extruded,
    locale: context.locale,
    countName: createTranslator(context)('picture.map.locations', 'Locations'),
  }))

interface StepSettings {
  metric: QueryMetric | null | undefined
  color: Rgb
  count: number
  breaks: readonly number[]
  scheme: string
  alpha: number
  format: string
}

/** Returns colors by a metric in steps, either even or between given numbers. One color without a metric. */
export function colorBySteps(
  frame: Frame | undefined,
  { metric, color, count, breaks, scheme, alpha, format }: StepSettings,
  context: SpecContext,
): ColorEncoding {
  const column = metric && frame && findColumn(frame, labelOfMetric(metric))
  if (!metric || !column || !frame) return { by: 'one', color: toLayerColor(color, (color.a ?? 1) * alpha) }
  let [low, high] = [Infinity, -Infinity]
  for (let row = 0; row < frame.rows; row++) {
    const value = numberAt(column, row)
    if (value === null) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (low > high) return { by: 'one', color: toLayerColor(color, (color.a ?? 1) * alpha) }
  const given = breaks.filter((value) => Number.isFinite(value)).toSorted((a, b) => a - b)
  const steps = Math.max(1, Number.isFinite(count) ? Math.round(count) : 5)
  const bounds =
    given.length > 1
      ? given
      : low === high
        ? [low, high]
        : Array.from({ length: steps + 1 }, (_, index) => low + ((high - low) * index) / steps)
  const write = formatter(format === 'SMART_NUMBER' ? context.formatOf(metric) : format, context.locale)
  return {
    by: 'steps',
    column: column.name,
    bounds,
    colors: bounds.slice(1).map((end, index) => ({
      paint: { scheme, at: bounds.length < 3 ? 1 : 0.1 + (0.9 * index) / (bounds.length - 2) },
      alpha,
      name: `${write(bounds[index] ?? 0)} – ${write(end)}`,
    })),
  }
}

/** Reads valid stored contours: colors as list or object, thresholds as numbers or text. */
export function readContours(stored: readonly unknown[]): Contour[] {
  return stored.flatMap((each) => {
    const { lowerThreshold, upperThreshold, color, strokeWidth } = (each ?? {}) as Record<string, unknown>
    const low = numberIn(lowerThreshold)
    if (low === null) return []
    const { r, g, b, a } = colorIn(color)
    return [
      {
        low,
        high: numberIn(upperThreshold),
        color: toHex({ r, g, b }),
        alpha: a,
        width: numberIn(strokeWidth) ?? 1,
      },
    ]
  })
}

const numberIn = (value: unknown): number | null =>
  value === null || value === undefined || value === '' || !Number.isFinite(Number(value)) ? null : Number(value)

function colorIn(color: unknown): Required<Rgb> {
  const parts = Array.isArray(color)
    ? (color as unknown[])
    : ['r', 'g', 'b', 'a'].map((part) => (color as Record<string, unknown> | null | undefined)?.[part])
  const [r, g, b] = [0, 1, 2].map((index) =>
    Math.max(0, Math.min(255, numberIn(parts[index]) ?? [0, 122, 135][index]!)),
  )
  const alpha = numberIn(parts[3]) ?? 1
  return { r: r!, g: g!, b: b!, a: alpha > 1 ? alpha / 255 : alpha }
}
