import Type from 'typebox'
import { control, defineChart } from '../define.ts'
import { choice, Column, flag } from '../shared/controls.ts'
import {
  colorControl,
  layerQueryControls,
  lengthUnit,
  lineWidth,
  mapViewControls,
  tooltipColumns,
} from '../shared/map/controls.ts'
import {
  toLayerColor,
  uniqueLabels,
  rawRowsQuery,
  buildMapSpec,
  buildTooltipFields,
  withNotNullFilters,
} from '../shared/map/definition.ts'
import { labelOfColumn } from '@parquetry/model'
import type { MapSpec } from '../shared/map/layers.ts'

/** GeoJSON of a column, unchanged: points, lines, areas and collections of them; `rows` has one row per object. */
export default defineChart({
  viz_type: 'deck_geojson',
  name: 'deck.gl Geojson',
  category: 'Map',
  tags: ['deckGL', '2D', 'Geo'],
  description: 'Shows the GeoJSON in a column on a map.',
  icon: 'M5 3c-1.500 0-2 .8-2 2v1.500c0 .9-.5 1.500-1 1.500.5 0 1 .6 1 1.500V11c0 1.200.5 2 2 2M11 3c1.500 0 2 .8 2 2v1.500c0 .9.5 1.500 1 1.500-.5 0-1 .6-1 1.500V11c0 1.200-.5 2-2 2M6 9.500l2-3 2 3z',
  series: [],
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL'],
  form: Type.Object({
    geojson: control(Column, {
      label: 'GeoJSON column',
      group: 'query',
      as: 'column',
      description: 'Column that contains the GeoJSON.',
    }),
    ...tooltipColumns,
    ...layerQueryControls(),
    fill_color_picker: colorControl('Fill color'),
    stroke_color_picker: colorControl('Stroke color'),
    filled: flag('Filled', true),
    stroked: flag('Stroked', true),
    extruded: flag('Extruded', false, {
      description: 'Raises areas by their “elevation”. Static images are flat.',
    }),
    line_width: lineWidth(1),
    line_width_unit: lengthUnit,
    point_radius_scale: control(Type.Number({ default: 100, minimum: 0 }), { label: 'Point radius', group: 'look' }),
    point_radius_units: control(choice(['meters', 'pixels'], 'meters'), {
      label: 'Point radius unit',
      group: 'look',
      options: { meters: 'Meters', pixels: 'Pixels' },
    }),
    ...mapViewControls,
  }),
  initialSettings: {
    row_limit: 1000,
    line_width_unit: 'pixels',
    point_radius_scale: 4,
    point_radius_units: 'pixels',
    fill_color_picker: { r: 49, g: 87, b: 203, a: 0.5 },
    stroke_color_picker: { r: 33, g: 69, b: 174, a: 1 },
  },
  baseForms: { rows: (form) => withNotNullFilters(form, [form.geojson as string]) },
  queries: ({ geojson, js_columns, row_limit }) => ({ rows: rawRowsQuery([geojson, ...js_columns], row_limit) }),
  spec: (_frames, settings, context): MapSpec =>
    buildMapSpec(
      settings.geojson
        ? [
            {
              kind: 'geojson',
              frame: 'rows',
              column: labelOfColumn(settings.geojson),
              fill: toLayerColor(settings.fill_color_picker),
              stroke: toLayerColor(settings.stroke_color_picker),
              isFilled: settings.filled,
              isStroked: settings.stroked,
              isExtruded: settings.extruded,
              width: settings.line_width,
              unit: settings.line_width_unit,
              pointRadius: settings.point_radius_scale,
              pointUnit: settings.point_radius_units,
              tooltip: buildTooltipFields(settings.js_columns, [], context),
              keys: uniqueLabels(settings.js_columns),
            },
          ]
        : [],
      settings,
      context,
    ),
})
