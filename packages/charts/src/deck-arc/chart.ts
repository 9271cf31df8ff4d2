import Type from 'typebox'
import { control, defineChart } from '../define.ts'
import { colorScheme } from '../shared/controls.ts'
import { color, dimension, layerQuery, legend, mapView, moreColumns, spatial } from '../shared/map/controls.ts'
import {
  inkOf,
  inksOf,
  keysOf,
  layerQuestion,
  mapOf,
  placeColumns,
  placeOf,
  tipsOf,
  withoutNulls,
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
    start_spatial: spatial('Start longitude & latitude'),
    end_spatial: spatial('End longitude & latitude'),
    ...dimension,
    ...moreColumns,
    ...layerQuery(),
    color_picker: color('Source color'),
    target_color_picker: color('Target color'),
    color_scheme: colorScheme,
    stroke_width: control(Type.Number({ default: 1, minimum: 0 }), {
      label: 'Stroke width',
      group: 'look',
      presets: [1, 2, 3, 5].map((width) => [width, String(width)] as const),
    }),
    ...legend,
    ...mapView,
  }),
  begins: {
    row_limit: 1000,
    color_picker: { r: 49, g: 87, b: 203, a: 0.6 },
    target_color_picker: { r: 203, g: 90, b: 20, a: 0.8 },
  },
  bases: {
    rows: (form) => withoutNulls(form, [...placeColumns(form.start_spatial), ...placeColumns(form.end_spatial)]),
  },
  queries: ({ start_spatial, end_spatial, dimension: by, js_columns, row_limit }) => ({
    rows: layerQuestion(
      [...placeColumns(start_spatial), ...placeColumns(end_spatial), by, ...js_columns],
      [],
      row_limit,
    ),
  }),
  spec: ({ rows }, settings, look): MapSpec => {
    const { start_spatial, end_spatial, dimension: by, js_columns, color_picker, legend_format } = settings
    const [from, to] = [placeOf(start_spatial), placeOf(end_spatial)]
    const places = [...placeColumns(start_spatial), ...placeColumns(end_spatial)]
    return mapOf(
      from && to
        ? [
            {
              kind: 'arcs',
              frame: 'rows',
              from,
              to,
              inks: inksOf(rows, { dimension: by, color: color_picker, format: legend_format }, look),
              target: inkOf(settings.target_color_picker),
              width: settings.stroke_width,
              tips: tipsOf([by, ...js_columns, ...places], [], look),
              keys: keysOf([...places, by]),
            },
          ]
        : [],
      settings,
      look,
    )
  },
})
