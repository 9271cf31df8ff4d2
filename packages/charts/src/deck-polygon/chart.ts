import Type from 'typebox'
import { control, defineChart } from '../define.ts'
import { flag, Metric, nullable } from '../shared/controls.ts'
import { linearScheme } from '../shared/linear-scheme.ts'
import {
  colorControl,
  fixOrMetric,
  isTrue,
  layerQueryControls,
  legendControls,
  lengthUnit,
  lineWidth,
  mapViewControls,
  tooltipColumns,
  shapeControls,
} from '../shared/map/controls.ts'
import {
  toLayerColor,
  uniqueLabels,
  mapLayerQuery,
  buildMapSpec,
  metricOf,
  numberOrColumn,
  readShapeColumn,
  colorBySteps,
  buildTooltipFields,
  withNotNullFilters,
} from '../shared/map/definition.ts'
import type { MapSpec } from '../shared/map/layers.ts'

/** Areas on a map, colored by a metric; `rows` has one row per area. */
export default defineChart({
  viz_type: 'deck_polygon',
  name: 'deck.gl Polygon',
  category: 'Map',
  tags: ['deckGL', '3D', 'Multi-Dimensions', 'Geo'],
  description: 'Draws areas on a map, each colored by its value.',
  icon: 'M3 5.500L8 2.500l5.500 4-2 6.500H4.500z',
  series: [],
  thumbnail: { fixture: 'london' },
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL'],
  form: Type.Object({
    ...shapeControls,
    metric: control(Type.Optional(nullable(Metric)), {
      label: 'Metric',
      group: 'query',
      as: 'metric',
      description: 'Sets the color of each area. Leave empty to use the fill color for all.',
    }),
    point_radius_fixed: fixOrMetric('Elevation', 5, 'Height of areas drawn in 3D.'),
    ...tooltipColumns,
    ...layerQueryControls(),
    fill_color_picker: colorControl('Fill color'),
    stroke_color_picker: colorControl('Stroke color'),
    filled: flag('Filled', true),
    stroked: flag('Stroked', false),
    extruded: flag('Extruded', false, { description: 'Draws areas in 3D. Static images are flat.' }),
    multiplier: control(Type.Number({ default: 1, minimum: 0 }), {
      label: 'Multiplier',
      group: 'look',
      description: 'Multiplies all heights.',
      when: isTrue('extruded'),
    }),
    line_width: lineWidth(1),
    line_width_unit: lengthUnit,
    linear_color_scheme: linearScheme(),
    opacity: control(Type.Number({ default: 80, minimum: 0, maximum: 100 }), {
      label: 'Opacity',
      group: 'look',
      description: 'From 0 to 100.',
    }),
    num_buckets: control(Type.Union([Type.Integer({ minimum: 1, maximum: 20 }), Type.String()], { default: 5 }), {
      label: 'Number of buckets to group data',
      group: 'look',
      presets: [2, 3, 5, 10].map((count) => [count, String(count)] as const),
    }),
    break_points: control(Type.Array(Type.Union([Type.Number(), Type.String()]), { default: [] }), {
      label: 'Bucket break points',
      group: 'look',
      as: 'offsets',
      description: 'Values at which the color changes, instead of evenly sized buckets.',
    }),
    ...legendControls,
    ...mapViewControls,
  }),
  initialSettings: {
    row_limit: 1000,
    stroked: true,
    line_width_unit: 'pixels',
    fill_color_picker: { r: 49, g: 87, b: 203, a: 0.6 },
    stroke_color_picker: { r: 33, g: 69, b: 174, a: 1 },
  },
  baseForms: { rows: (form) => withNotNullFilters(form, [form.line_column as string]) },
  queries: ({ line_column, js_columns, metric, point_radius_fixed, row_limit }) => ({
    rows: mapLayerQuery([line_column, ...js_columns], [metric, metricOf(point_radius_fixed)], row_limit),
  }),
  spec: ({ rows }, settings, context): MapSpec =>
    buildMapSpec(
      settings.line_column
        ? [
            {
              kind: 'polygons',
              frame: 'rows',
              shape: readShapeColumn(settings),
              colors: colorBySteps(
                rows,
                {
                  metric: settings.metric,
                  color: settings.fill_color_picker,
                  count: Number(settings.num_buckets),
                  breaks: settings.break_points.map(Number),
                  scheme: settings.linear_color_scheme,
                  alpha: settings.opacity / 100,
                  format: settings.legend_format,
                },
                context,
              ),
              stroke: toLayerColor(settings.stroke_color_picker),
              isFilled: settings.filled,
              isStroked: settings.stroked,
              isExtruded: settings.extruded,
              width: settings.line_width,
              unit: settings.line_width_unit,
              elevation: settings.extruded ? numberOrColumn(settings.point_radius_fixed) : null,
              multiplier: settings.multiplier,
              tooltip: buildTooltipFields(
                settings.js_columns,
                [settings.metric, metricOf(settings.point_radius_fixed)],
                context,
              ),
              keys: uniqueLabels(settings.js_columns),
            },
          ]
        : [],
      settings,
      context,
    ),
})
