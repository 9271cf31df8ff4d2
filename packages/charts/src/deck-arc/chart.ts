import Type from 'typebox'
import { control, defineChart } from '../define.ts'
import { colorScheme } from '../shared/controls.ts'
import {
  colorControl,
  dimensionControls,
  layerQueryControls,
  legendControls,
  mapViewControls,
  tooltipColumns,
  spatialControl,
} from '../shared/map/controls.ts'
import {
  toLayerColor,
  colorByDimension,
  uniqueLabels,
  mapLayerQuery,
  buildMapSpec,
  listLocationColumns,
  readLocationSource,
  buildTooltipFields,
  withNotNullFilters,
} from '../shared/map/definition.ts'
import type { MapSpec } from '../shared/map/layers.ts'

/** Arcs from one place to another; `rows` has one row per arc. */
export default defineChart({
  viz_type: 'deck_arc',
  name: 'deck.gl Arc',
  category: 'Map',
  tags: ['deckGL', 'Geo', '3D', 'Relational', 'Web'],
  description: 'Draws arcs on a map from start to end points, such as flights, deliveries or relocations.',
  icon: 'M2.500 12.500C4 4.500 12 4.500 13.500 12.500M2.500 12.500h.01M13.500 12.500h.01',
  series: [],
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form: Type.Object({
    start_spatial: spatialControl('Start longitude and latitude'),
    end_spatial: spatialControl('End longitude and latitude'),
    ...dimensionControls,
    ...tooltipColumns,
    ...layerQueryControls(),
    color_picker: colorControl('Source color'),
    target_color_picker: colorControl('Target color'),
    color_scheme: colorScheme,
    stroke_width: control(Type.Number({ default: 1, minimum: 0 }), {
      label: 'Stroke width',
      group: 'look',
      presets: [1, 2, 3, 5].map((width) => [width, String(width)] as const),
    }),
    ...legendControls,
    ...mapViewControls,
  }),
  initialSettings: {
    row_limit: 1000,
    color_picker: { r: 49, g: 87, b: 203, a: 0.6 },
    target_color_picker: { r: 203, g: 90, b: 20, a: 0.8 },
  },
  baseForms: {
    rows: (form) =>
      withNotNullFilters(form, [...listLocationColumns(form.start_spatial), ...listLocationColumns(form.end_spatial)]),
  },
  queries: ({ start_spatial, end_spatial, dimension: by, js_columns, row_limit }) => ({
    rows: mapLayerQuery(
      [...listLocationColumns(start_spatial), ...listLocationColumns(end_spatial), by, ...js_columns],
      [],
      row_limit,
    ),
  }),
  spec: ({ rows }, settings, context): MapSpec => {
    const { start_spatial, end_spatial, dimension: by, js_columns, color_picker, legend_format } = settings
    const [from, to] = [readLocationSource(start_spatial), readLocationSource(end_spatial)]
    const places = [...listLocationColumns(start_spatial), ...listLocationColumns(end_spatial)]
    return buildMapSpec(
      from && to
        ? [
            {
              kind: 'arcs',
              frame: 'rows',
              from,
              to,
              colors: colorByDimension(rows, { dimension: by, color: color_picker, format: legend_format }, context),
              target: toLayerColor(settings.target_color_picker),
              width: settings.stroke_width,
              tooltip: buildTooltipFields([by, ...js_columns, ...places], [], context),
              keys: uniqueLabels([...places, by]),
            },
          ]
        : [],
      settings,
      context,
    )
  },
})
