import Type from 'typebox'
import { defineChart } from '../define.ts'
import {
  colorControl,
  layerQueryControls,
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
  readShapeColumn,
  buildTooltipFields,
  withNotNullFilters,
} from '../shared/map/definition.ts'
import type { MapSpec } from '../shared/map/layers.ts'

/** Lines on a map; `rows` has one row per line. */
export default defineChart({
  viz_type: 'deck_path',
  name: 'deck.gl Path',
  category: 'Map',
  tags: ['deckGL', 'Web', '2D', 'Geo'],
  description: 'Draws lines on a map, such as routes, tracks or borders.',
  icon: 'M3 13c0-4 4-2 4-5.500S11 4 13 3M3 13h.01M13 3h.01',
  series: [],
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL'],
  form: Type.Object({
    ...shapeControls,
    ...tooltipColumns,
    ...layerQueryControls(),
    color_picker: colorControl('Line color'),
    line_width: lineWidth(150),
    line_width_unit: lengthUnit,
    ...mapViewControls,
  }),
  initialSettings: {
    row_limit: 1000,
    line_width: 2,
    line_width_unit: 'pixels',
    color_picker: { r: 49, g: 87, b: 203, a: 0.8 },
  },
  baseForms: { rows: (form) => withNotNullFilters(form, [form.line_column as string]) },
  queries: ({ line_column, js_columns, row_limit }) => ({
    rows: mapLayerQuery([line_column, ...js_columns], [], row_limit),
  }),
  spec: (_frames, settings, context): MapSpec =>
    buildMapSpec(
      settings.line_column
        ? [
            {
              kind: 'paths',
              frame: 'rows',
              shape: readShapeColumn(settings),
              color: toLayerColor(settings.color_picker),
              width: settings.line_width,
              unit: settings.line_width_unit,
              tooltip: buildTooltipFields(settings.js_columns, [], context),
              keys: uniqueLabels(settings.js_columns),
            },
          ]
        : [],
      settings,
      context,
    ),
})
