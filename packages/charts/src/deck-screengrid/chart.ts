import Type from 'typebox'
import { control, defineChart } from '../define.ts'
import { numberFormat } from '../shared/controls.ts'
import { weight } from '../shared/map/bins-chart.ts'
import { color, layerQuery, mapView, spatial } from '../shared/map/controls.ts'
import { inkOf, layerQuestion, mapOf, placeColumns, weighedBy, withoutNulls } from '../shared/map/definition.ts'
import type { MapSpec } from '../shared/map/layers.ts'

/** Rows by squares of the screen, whatever the map shows; `rows` has one row per place. */
export default defineChart({
  viz_type: 'deck_screengrid',
  name: 'deck.gl Screen Grid',
  category: 'Map',
  tags: ['deckGL', 'Comparison', 'Intensity', 'Density'],
  description: 'Adds up the values in each square of the screen, at any zoom level.',
  icon: 'M3 3h2v2H3zM7 3h2v2H7zM11 3h2v2h-2zM3 7h2v2H3zM7 7h2v2H7zM11 7h2v2h-2zM3 11h2v2H3zM7 11h2v2H7z',
  series: [],
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL'],
  form: Type.Object({
    spatial: spatial('Longitude & Latitude'),
    size: weight,
    ...layerQuery(),
    grid_size: control(Type.Number({ default: 20, minimum: 4, maximum: 200 }), {
      label: 'Grid size',
      group: 'look',
      description: 'Side length of each square, in pixels.',
    }),
    color_picker: color('Fixed color'),
    number_format: numberFormat('Number format'),
    ...mapView,
  }),
  begins: { row_limit: 10_000, grid_size: 14, color_picker: { r: 49, g: 87, b: 203, a: 1 } },
  bases: { rows: (form) => withoutNulls(form, placeColumns(form.spatial)) },
  queries: ({ spatial: place, size, row_limit }) => ({ rows: layerQuestion(placeColumns(place), [size], row_limit) }),
  spec: (_frames, settings, look): MapSpec =>
    mapOf(
      weighedBy(settings, look).map((layer) => ({
        ...layer,
        kind: 'cells',
        cell: settings.grid_size,
        ink: inkOf(settings.color_picker),
      })),
      settings,
      look,
    ),
})
