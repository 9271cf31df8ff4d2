import Type from 'typebox'
import { control, type ChartForm, type Control } from '../../define.ts'
import { choice, Column, filters, flag, Metric, nullable, numberFormat, rowLimit } from '../controls.ts'

const text = Type.String({ minLength: 1 })

/** Location of a row (CTRL-113), in one of three formats. */
export const Spatial = Type.Union([
  Type.Object({
    type: Type.Literal('latlong'),
    latCol: text,
    lonCol: text,
    reverseCheckbox: Type.Optional(Type.Unknown()),
  }),
  Type.Object({
    type: Type.Literal('delimited'),
    lonlatCol: text,
    delimiter: text,
    reverseCheckbox: Type.Optional(Type.Unknown()),
  }),
  Type.Object({ type: Type.Literal('geohash'), geohashCol: text, reverseCheckbox: Type.Optional(Type.Unknown()) }),
])

export const spatialControl = (label: string) => control(Spatial, { label, group: 'query', as: 'spatial' })

const Rgba = Type.Object({
  r: Type.Number(),
  g: Type.Number(),
  b: Type.Number(),
  a: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
})
export interface Rgb {
  r: number
  g: number
  b: number
  a?: number
}
export const colorControl = (
  label: string,
  more: Partial<Control> = {},
  byDefault: Rgb = { r: 0, g: 122, b: 135, a: 1 },
) =>
  control(Type.Unsafe<Rgb>({ ...Rgba, default: byDefault }), {
    label,
    group: 'look',
    as: 'color',
    hasOpacity: true,
    ...more,
  })

/** A fixed number or a metric (CTRL-103). */
export const FixOrMetric = Type.Union([
  Type.Object({ type: Type.Literal('fix'), value: Type.Union([Type.Number(), Type.String()]) }),
  Type.Object({ type: Type.Literal('metric'), value: Metric }),
])
export const fixOrMetric = (label: string, fixed: number, description?: string) =>
  control(Type.Unsafe<{ type: string; value: unknown }>({ ...FixOrMetric, default: { type: 'fix', value: fixed } }), {
    label,
    group: 'query',
    as: 'fix-or-metric',
    ...(description && { description }),
  })

const Viewport = Type.Object({
  longitude: Type.Number({ minimum: -360, maximum: 360 }),
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  zoom: Type.Number({ minimum: -5, maximum: 24 }),
  bearing: Type.Optional(Type.Number()),
  pitch: Type.Optional(Type.Number({ minimum: 0, maximum: 85 })),
})

const corners = { tl: 'Top left', tr: 'Top right', bl: 'Bottom left', br: 'Bottom right', null: 'None' }

export const legendControls = {
  legend_position: control(Type.Union([choice(['tl', 'tr', 'bl', 'br']), Type.Null()], { default: 'tr' }), {
    label: 'Legend position',
    group: 'look',
    options: corners,
  }),
  legend_format: numberFormat('Legend format'),
}

/** Settings of every map, independent of its layers. */
export const mapViewControls = {
  mapbox_style: control(Type.Optional(nullable(Type.String())), {
    label: 'Map style',
    group: 'look',
    section: 'Map',
    as: 'map-style',
    description: 'Map background: land, or tiles from a server configured by an administrator.',
  }),
  viewport: control(Type.Optional(nullable(Viewport)), {
    label: 'Viewport',
    group: 'look',
    section: 'Map',
    as: 'viewport',
    description: 'Initial map view, used unless the map automatically shows all of its marks.',
  }),
  autozoom: flag('Auto zoom', false, {
    section: 'Map',
    description: 'Starts with all marks in view. Without a viewport, this is always on.',
  }),
}

/** Rows, filters and map settings of a layer with locations. */
export const layerQueryControls = (rows = 10_000) => ({
  adhoc_filters: filters,
  filter_nulls: control(Type.Boolean({ default: true }), {
    label: 'Ignore null locations',
    group: 'query',
    description: 'Leaves out rows without a location.',
  }),
  row_limit: rowLimit(rows),
})

export const dimensionControls = {
  dimension: control(Type.Optional(nullable(Column)), {
    label: 'Categorical color',
    group: 'query',
    as: 'column',
    description: 'One color per value.',
  }),
}

/** Columns that are queried in addition to those drawn and shown in the tooltip. */
export const tooltipColumns = {
  js_columns: control(Type.Array(Column, { default: [] }), {
    label: 'Extra data',
    group: 'query',
    as: 'columns',
    description: 'Additional columns to show in the tooltip.',
  }),
}

export const lengthUnit = control(choice(['meters', 'pixels'], 'meters'), {
  label: 'Line width unit',
  group: 'look',
  options: { meters: 'Meters', pixels: 'Pixels' },
})

export const lineWidth = (byDefault: number) =>
  control(Type.Number({ default: byDefault, minimum: 0 }), { label: 'Line width', group: 'look' })

export const shapeControls = {
  line_column: control(Column, {
    label: 'Lines column',
    group: 'query',
    as: 'column',
    description: 'Column that contains the lines.',
  }),
  line_type: control(choice(['json', 'polyline', 'geohash', 'zipcode'], 'json'), {
    label: 'Lines encoding',
    group: 'query',
    options: { json: 'JSON', polyline: 'Polyline', geohash: 'Geohash', zipcode: 'Zip code' },
  }),
  reverse_long_lat: control(Type.Boolean({ default: false }), { label: 'Reverse lat/long', group: 'query' }),
}

export const isTrue = (name: string) => (form: ChartForm) => form[name] === true
