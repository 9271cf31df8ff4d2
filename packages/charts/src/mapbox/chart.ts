import Type from 'typebox'
import { labelOfColumn, type QueryColumn } from '@parquetry/model'
import { control, defineChart } from '../define.ts'
import { choice, Column, filters, nullable, numberFormat, rowLimit } from '../shared/controls.ts'
import { mapViewControls } from '../shared/map/controls.ts'
import { uniqueLabels, rawRowsQuery, buildMapSpec, buildTooltipFields } from '../shared/map/definition.ts'
import type { BinAggregate, MapSpec } from '../shared/map/layers.ts'

/** Aggregate functions of clusters, by their names in the API. */
const aggregates: Record<string, BinAggregate> = {
  sum: 'sum',
  mean: 'mean',
  min: 'min',
  max: 'max',
  std: 'deviation',
  var: 'variance',
}

const meters = { Pixels: null, Miles: 1609.34, Kilometers: 1000 }

/** Places on a map; those close together form a cluster with a number. `rows` has one row per place. */
export default defineChart({
  viz_type: 'mapbox',
  name: 'MapBox',
  category: 'Map',
  tags: ['Business', 'Intensity', 'Legacy', 'Density', 'Scatter', 'Transformable'],
  description: 'Shows points on a map, grouped into clusters where they are close together.',
  icon: 'M8 14s-4.500-4.300-4.500-7.500a4.500 4.500 0 0 1 9 0C12.500 9.700 8 14 8 14zM8 5a1.600 1.600 0 1 0 0 3.200A1.600 1.600 0 0 0 8 5z',
  series: [],
  behaviors: [],
  form: Type.Object({
    all_columns_x: control(Column, { label: 'Longitude', group: 'query', as: 'column' }),
    all_columns_y: control(Column, { label: 'Latitude', group: 'query', as: 'column' }),
    clustering_radius: control(Type.Number({ default: 60, minimum: 0 }), {
      label: 'Clustering radius',
      group: 'look',
      description: 'Points within this distance, in pixels, are grouped into clusters. Enter 0 to turn off clustering.',
      presets: [0, 20, 40, 60, 80, 100, 200, 500, 1000].map((radius) => [radius, String(radius)] as const),
    }),
    mapbox_label: control(Type.Array(Column, { default: [] }), {
      label: 'Cluster label column',
      group: 'query',
      as: 'columns',
      description: 'Value shown on each cluster. Leave empty to show the number of points.',
    }),
    pandas_aggfunc: control(choice(['sum', 'mean', 'min', 'max', 'std', 'var'], 'sum'), {
      label: 'Cluster label aggregator',
      group: 'look',
      options: {
        sum: 'Sum',
        mean: 'Mean',
        min: 'Minimum',
        max: 'Maximum',
        std: 'Standard deviation',
        var: 'Variance',
      },
    }),
    point_radius: control(Type.Optional(nullable(Column)), {
      label: 'Point radius',
      group: 'query',
      as: 'column',
      description: 'Column with the radius of points that are not in a cluster.',
    }),
    point_radius_unit: control(choice(['Pixels', 'Miles', 'Kilometers'], 'Pixels'), {
      label: 'Point radius unit',
      group: 'look',
      options: { Pixels: 'Pixels', Miles: 'Miles', Kilometers: 'Kilometers' },
    }),
    groupby: control(Type.Array(Column, { default: [] }), {
      label: 'Extra data',
      group: 'query',
      as: 'columns',
      description: 'Columns to show in the tooltip of a point.',
    }),
    adhoc_filters: filters,
    row_limit: rowLimit(),
    mapbox_color: control(Type.String({ default: 'rgb(0, 122, 135)' }), {
      label: 'RGB color',
      group: 'look',
      presets: [
        ['rgb(0, 122, 135)', 'Dark cyan'],
        ['rgb(49, 87, 203)', 'Lapis'],
        ['rgb(128, 0, 128)', 'Purple'],
        ['rgb(205, 85, 0)', 'Orange'],
        ['rgb(178, 34, 34)', 'Firebrick'],
        ['rgb(34, 120, 34)', 'Green'],
      ],
    }),
    global_opacity: control(Type.Number({ default: 1, minimum: 0, maximum: 1 }), { label: 'Opacity', group: 'look' }),
    number_format: numberFormat('Number format'),
    ...mapViewControls,
  }),
  initialSettings: { row_limit: 10_000, mapbox_color: 'rgb(49, 87, 203)' },
  queries: ({ all_columns_x, all_columns_y, mapbox_label, point_radius, groupby, row_limit }) => ({
    rows: rawRowsQuery(
      [all_columns_x, all_columns_y, resolveLabelColumn(mapbox_label), resolveRadiusColumn(point_radius), ...groupby],
      row_limit,
    ),
  }),
  spec: (_frames, settings, context): MapSpec => {
    const { all_columns_x, all_columns_y, groupby, number_format, viewport } = settings
    const [label, radius] = [resolveLabelColumn(settings.mapbox_label), resolveRadiusColumn(settings.point_radius)]
    const seen = viewport ?? legacyViewport(settings)
    return buildMapSpec(
      all_columns_x && all_columns_y
        ? [
            {
              kind: 'clusters',
              frame: 'rows',
              location: { type: 'latlong', lonCol: labelOfColumn(all_columns_x), latCol: labelOfColumn(all_columns_y) },
              color: { paint: settings.mapbox_color, alpha: settings.global_opacity },
              radius: settings.clustering_radius,
              pointRadius: radius ? { column: labelOfColumn(radius) } : { fixed: 5 },
              unit: meters[settings.point_radius_unit],
              label: label
                ? { column: labelOfColumn(label), aggregate: aggregates[settings.pandas_aggfunc] ?? 'sum' }
                : null,
              format: number_format,
              tooltip: buildTooltipFields([...groupby, label, all_columns_x, all_columns_y], [], context),
              keys: uniqueLabels([all_columns_x, all_columns_y]),
            },
          ]
        : [],
      { ...settings, viewport: seen },
      context,
    )
  },
})

/** Column of cluster labels; `count`, the number of points, is not a column. */
const resolveLabelColumn = ([first]: readonly QueryColumn[]): QueryColumn | null =>
  first === undefined || first === 'count' ? null : first
const resolveRadiusColumn = (column: QueryColumn | null | undefined): QueryColumn | null =>
  column == null || column === 'Auto' ? null : column

/** Reads the viewport of legacy forms from three settings. */
function legacyViewport(form: Record<string, unknown>) {
  const [longitude, latitude, zoom] = ['viewport_longitude', 'viewport_latitude', 'viewport_zoom'].map((name) =>
    form[name] == null || form[name] === '' ? Number.NaN : Number(form[name]),
  )
  return [longitude, latitude, zoom].every(Number.isFinite) ? { longitude, latitude, zoom } : null
}
