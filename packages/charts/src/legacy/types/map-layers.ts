import { cellAt, type Cell, decodeGeohash, type Frame } from '@parquetry/frame'
import { labelOfColumn } from '@parquetry/model/labels'
import type { QueryMetric } from '@parquetry/model'
import { message } from '@parquetry/model/message'
import type { ChartForm } from '../../define.ts'
import {
  requireColumn,
  listColumns,
  toList,
  metricLabels,
  listMetrics,
  buildLegacyOrder,
  badRequest,
  toRecords,
  timestampColumn,
} from '../read.ts'
import type { FormFilter, RowsType } from '../type.ts'

type Row = Record<string, Cell>
type MapCoordinate = [longitude: number, latitude: number]

/** Location setting of a form. */
interface Spatial {
  type?: string
  latCol?: string
  lonCol?: string
  lonlatCol?: string
  delimiter?: string
  geohashCol?: string
  reverseCheckbox?: boolean
}

const readSpatial = (form: ChartForm, key: string): Spatial => {
  const value = form[key]
  if (typeof value !== 'object' || value === null)
    throw badRequest(message('errors.legacy.locationNeeded', 'Choose the columns that contain the location'))
  return value as Spatial
}

function spatialColumns(form: ChartForm, key: string): string[] {
  const { type, latCol, lonCol, lonlatCol, geohashCol } = readSpatial(form, key)
  const names = type === 'latlong' ? [lonCol, latCol] : type === 'delimited' ? [lonlatCol] : [geohashCol]
  return names.map((name) => {
    if (typeof name !== 'string' || name === '')
      throw badRequest(message('errors.legacy.locationNeeded', 'Choose the columns that contain the location'))
    return name
  })
}

/** @returns null without a location */
function readCoordinate(
  row: Row,
  { type, latCol, lonCol, lonlatCol, delimiter, geohashCol, reverseCheckbox }: Spatial,
): MapCoordinate | null {
  const pair = (): (number | null)[] => {
    if (type === 'latlong') return [toNumber(row[lonCol!]), toNumber(row[latCol!])]
    if (type === 'geohash') return (decodeGeohash(String(row[geohashCol!] ?? '')) ?? []).toReversed()
    const [first, second] = String(row[lonlatCol!] ?? '').split(delimiter || ',')
    return [toNumber(first?.trim()), toNumber(second?.trim())]
  }
  const [longitude = null, latitude = null] = pair()
  if (longitude === null || latitude === null) return null
  return reverseCheckbox && type !== 'latlong' ? [latitude, longitude] : [longitude, latitude]
}

const toNumber = (value: unknown): number | null => {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value ?? Number.NaN)
  return Number.isFinite(number) ? number : null
}

interface DeckTypeOptions {
  /** Settings with locations. */
  spatial?: readonly string[]
  /** Settings with column names. */
  columns?: readonly string[]
  /** Returns the metric of a form. */
  metric?: (form: ChartForm) => QueryMetric | null
  feature(row: Row, form: ChartForm, metric: string | null): object
}

const sizeMetric = (form: ChartForm): QueryMetric | null => listMetrics(form, 'size', 'metric')[0] ?? null

/** Metric of the radius; null for a fixed one. */
const radiusMetric = ({ point_radius_fixed: radius }: ChartForm): QueryMetric | null => {
  const { type, value } = (radius ?? {}) as { type?: string; value?: unknown }
  return type === 'metric' && value ? (value as QueryMetric) : null
}

const readDimension = (row: Row, form: ChartForm): Cell => {
  const [dimension] = listColumns(form, 'dimension').map(labelOfColumn)
  return dimension === undefined ? null : (row[dimension] ?? null)
}

function createDeckType({ spatial = [], columns = [], metric = () => null, feature }: DeckTypeOptions): RowsType {
  const named = (form: ChartForm) => [
    ...spatial.flatMap((key) => spatialColumns(form, key)),
    ...listColumns(form, ...columns, 'dimension', 'js_columns').map(labelOfColumn),
  ]
  const metricOf = (form: ChartForm) => toList(metric(form)) as QueryMetric[]
  return {
    query(form) {
      const metrics = metricOf(form)
      return {
        columns: [...new Set(named(form))],
        metrics,
        is_timeseries: Boolean(form.time_grain_sqla && form.granularity_sqla),
        ...(metrics.length > 0 && { orderby: buildLegacyOrder(form, metrics, false) }),
      }
    },
    data(frame, form) {
      const metricLabelsOf = metricLabels(metricOf(form))
      const [label = null] = metricLabelsOf
      const extras = listColumns(form, 'js_columns').map(labelOfColumn)
      const features = toRecords(frame).map((row) => ({
        ...feature(row, form, label),
        ...(extras.length > 0 && {
          extraProps: Object.fromEntries(extras.map((name) => [name, row[name] ?? null])),
        }),
      }))
      return { features, mapboxApiKey: '', metricLabels: metricLabelsOf }
    },
    extraFilters(form): FormFilter[] {
      if (form.filter_nulls === false) return []
      const places = [
        ...spatial.flatMap((key) => spatialColumns(form, key)),
        ...listColumns(form, ...columns).map(labelOfColumn),
      ]
      return [...new Set(places)].toSorted().map((subject) => ({
        clause: 'WHERE',
        expressionType: 'SIMPLE',
        comparator: '',
        operator: 'IS NOT NULL',
        subject,
      }))
    },
    colnames: (frame) => [...frame.columns.map(({ name }) => name), ...spatial],
  }
}

const createCoordinateReader = (key: string) => (row: Row, form: ChartForm) =>
  readCoordinate(row, readSpatial(form, key))
const position = createCoordinateReader('spatial')

/** A location with a weight: 1 if the form has no metric. */
const weighted = createDeckType({
  spatial: ['spatial'],
  metric: sizeMetric,
  feature: (row, form, metric) => ({ position: position(row, form), weight: metric === null ? 1 : (row[metric] ?? 1) }),
})

/** A line or an outline: JSON, an encoded polyline, or a geohash. */
function readPath(row: Row, form: ChartForm): unknown {
  const [column] = listColumns(form, 'line_column').map(labelOfColumn)
  const text = String(row[column ?? ''] ?? '')
  const path =
    form.line_type === 'polyline'
      ? decodePolyline(text)
      : form.line_type === 'geohash'
        ? geohashCorners(text)
        : parsePath(text)
  if (!form.reverse_long_lat || !Array.isArray(path)) return path
  return path.map((point: unknown) => (Array.isArray(point) ? [point[1] as unknown, point[0] as unknown] : point))
}

function parsePath(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const { path = [], coordinates = path } = value as { path?: unknown; coordinates?: unknown }
    return coordinates
  } catch {
    return []
  }
}

/** @see https://developers.google.com/maps/documentation/utilities/polylinealgorithm */
function decodePolyline(text: string): MapCoordinate[] {
  const points: MapCoordinate[] = []
  let [latitude, longitude, place] = [0, 0, 0]
  const next = (): number => {
    let [result, shift, byte] = [0, 0, 0]
    do {
      byte = (text.charCodeAt(place++) || 63) - 63
      result |= (byte & 31) << shift
      shift += 5
    } while (byte >= 32)
    return result & 1 ? ~(result >> 1) : result >> 1
  }
  while (place < text.length) {
    latitude += next()
    longitude += next()
    points.push([longitude / 1e5, latitude / 1e5])
  }
  return points
}

/** Corners of a geohash cell, with the first one repeated at the end. */
function geohashCorners(hash: string): MapCoordinate[] {
  const middle = decodeGeohash(hash)
  if (!middle) return []
  const bits = hash.length * 5
  const [latitude, longitude] = middle
  const [up, aside] = [90 / 2 ** Math.floor(bits / 2), 180 / 2 ** Math.ceil(bits / 2)]
  const corners = [
    [-1, 1],
    [1, 1],
    [1, -1],
    [-1, -1],
    [-1, 1],
  ] as const
  return corners.map(([x, y]) => [longitude + x * aside, latitude + y * up])
}

const createPathType = (key: 'path' | 'polygon') =>
  createDeckType({
    columns: ['line_column'],
    metric: (form) => listMetrics(form, 'metric')[0] ?? null,
    feature(row, form, metric) {
      const [column] = listColumns(form, 'line_column').map(labelOfColumn)
      const others = Object.entries(row).filter(([name]) => name !== column)
      const { type, value } = (form.point_radius_fixed ?? {}) as { type?: string; value?: unknown }
      const elevation = type === 'metric' ? (metric === null ? 0 : row[metric]) : (toNumber(value) ?? 0)
      return {
        ...Object.fromEntries(others),
        [key]: readPath(row, form),
        ...(key === 'polygon' && { elevation }),
        __timestamp: row[timestampColumn] ?? null,
      }
    },
  })

/** Map layers, by viz type. */
export const deckTypes: Record<string, RowsType> = {
  deck_scatter: createDeckType({
    spatial: ['spatial'],
    metric: radiusMetric,
    feature: (row, form, metric) => ({
      metric: metric === null ? null : (row[metric] ?? null),
      radius:
        metric === null
          ? toNumber((form.point_radius_fixed as { value?: unknown } | undefined)?.value)
          : (row[metric] ?? null),
      cat_color: readDimension(row, form),
      position: position(row, form),
      __timestamp: row[timestampColumn] ?? null,
    }),
  }),
  deck_screengrid: createDeckType({
    spatial: ['spatial'],
    metric: sizeMetric,
    feature: (row, form, metric) => ({
      position: position(row, form),
      weight: metric === null ? 1 : (row[metric] ?? 1),
      __timestamp: row[timestampColumn] ?? null,
    }),
  }),
  deck_grid: weighted,
  deck_hex: weighted,
  deck_heatmap: weighted,
  deck_contour: weighted,
  deck_arc: createDeckType({
    spatial: ['start_spatial', 'end_spatial'],
    metric: (form) => listMetrics(form, 'metric')[0] ?? null,
    feature: (row, form) => ({
      sourcePosition: createCoordinateReader('start_spatial')(row, form),
      targetPosition: createCoordinateReader('end_spatial')(row, form),
      cat_color: readDimension(row, form),
      __timestamp: row[timestampColumn] ?? null,
    }),
  }),
  deck_path: createPathType('path'),
  deck_polygon: createPathType('polygon'),
  deck_geojson: {
    ...createDeckType({
      columns: ['geojson'],
      feature(row, form) {
        const [column] = listColumns(form, 'geojson').map(labelOfColumn)
        try {
          return { ...(JSON.parse(String(row[column ?? ''] ?? '')) as object) }
        } catch {
          return {}
        }
      },
    }),
  },
}

/** Points to cluster on the map, with the value of the form's label. */
export const mapbox: RowsType = {
  query(form) {
    const places = listColumns(form, 'all_columns_x', 'all_columns_y')
    if (places.length !== 2)
      throw badRequest(message('errors.legacy.coordinatesNeeded', 'Choose a longitude column and a latitude column'))
    const label = labelColumnOf(form)
    const groups = listColumns(form, 'groupby')
    const radius = radiusColumnOf(form)
    if (groups.length === 0)
      return { columns: [...places, ...(label ? [label] : []), ...(radius ? [radius] : [])], metrics: null }
    const names = new Set(groups.map(labelOfColumn))
    if (label !== null && label !== 'count' && !names.has(label))
      throw badRequest(message('errors.legacy.labelNotGrouped', 'The label must be one of the columns to group by'))
    if (radius !== null && !names.has(radius))
      throw badRequest(message('errors.legacy.radiusNotGrouped', 'The radius must be one of the columns to group by'))
    if (places.some((column) => !names.has(labelOfColumn(column))))
      throw badRequest(
        message('errors.legacy.coordinatesNotGrouped', 'Longitude and latitude must be among the columns to group by'),
      )
    return { columns: groups, metrics: ['count'] }
  },
  data(frame, form) {
    const [longitude, latitude] = listColumns(form, 'all_columns_x', 'all_columns_y').map(labelOfColumn)
    const label = labelColumnOf(form)
    const radius = radiusColumnOf(form)
    const isCustom = label !== null && label !== 'count'
    const points = readPoints(frame, [longitude!, latitude!])
    const valueOf = (name: string | null, row: number): Cell =>
      name !== null && frame.columns.some((column) => column.name === name)
        ? cellAt(requireColumn(frame, name), row)
        : null
    const features = points.map(({ row, coordinates }) => ({
      type: 'Feature',
      properties: { metric: isCustom ? valueOf(label, row) : null, radius: valueOf(radius, row) },
      geometry: { type: 'Point', coordinates },
    }))
    const [xs, ys] = [0, 1].map((axis) => points.map(({ coordinates }) => coordinates[axis]!).toSorted((a, b) => a - b))
    return {
      geoJSON: { type: 'FeatureCollection', features },
      hasCustomMetric: isCustom,
      mapboxApiKey: '',
      mapStyle: form.mapbox_style ?? null,
      aggregatorName: form.pandas_aggfunc ?? null,
      clusteringRadius: form.clustering_radius ?? null,
      pointRadiusUnit: form.point_radius_unit ?? null,
      globalOpacity: form.global_opacity ?? null,
      bounds:
        points.length > 0
          ? [
              [xs![0], ys![0]],
              [xs!.at(-1), ys!.at(-1)],
            ]
          : null,
      renderWhileDragging: form.render_while_dragging ?? null,
      tooltip: form.rich_tooltip ?? null,
      color: form.mapbox_color ?? null,
    }
  },
}

const labelColumnOf = (form: ChartForm): string | null =>
  listColumns({ label: toList(form.mapbox_label)[0] }, 'label').map(labelOfColumn)[0] ?? null

const radiusColumnOf = ({ point_radius: radius }: ChartForm): string | null =>
  typeof radius === 'string' && radius !== '' && radius !== 'Auto' ? radius : null

function readPoints(
  frame: Frame,
  [longitude, latitude]: [string, string],
): { row: number; coordinates: MapCoordinate }[] {
  const [xs, ys] = [longitude, latitude].map((name) => requireColumn(frame, name))
  return Array.from({ length: frame.rows }, (_, row) => row).flatMap((row) => {
    const [x, y] = [toNumber(cellAt(xs!, row)), toNumber(cellAt(ys!, row))]
    return x === null || y === null ? [] : [{ row, coordinates: [x, y] as MapCoordinate }]
  })
}
