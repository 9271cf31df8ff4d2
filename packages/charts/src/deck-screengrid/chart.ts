import Type from 'typebox'
import { control, defineChart } from '../define.ts'
import { numberFormat } from '../shared/controls.ts'
import { weightControl } from '../shared/map/bins-form.ts'
import { colorControl, layerQueryControls, mapViewControls, spatialControl } from '../shared/map/controls.ts'
import {
  toLayerColor,
  mapLayerQuery,
  buildMapSpec,
  listLocationColumns,
  weightedLayerBase,
  withNotNullFilters,
} from '../shared/map/definition.ts'
import type { MapSpec } from '../shared/map/layers.ts'

/** Points aggregated into squares of the screen, at any zoom level; `rows` has one row per place. */
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
    spatial: spatialControl('Longitude and latitude'),
    size: weightControl,
    ...layerQueryControls(),
    grid_size: control(Type.Number({ default: 20, minimum: 4, maximum: 200 }), {
      label: 'Grid size',
      group: 'look',
      description: 'Side length of each square, in pixels.',
    }),
    color_picker: colorControl('Fixed color'),
    number_format: numberFormat('Number format'),
    ...mapViewControls,
  }),
  initialSettings: { row_limit: 10_000, grid_size: 14, color_picker: { r: 49, g: 87, b: 203, a: 1 } },
  baseForms: { rows: (form) => withNotNullFilters(form, listLocationColumns(form.spatial)) },
  queries: ({ spatial: place, size, row_limit }) => ({
    rows: mapLayerQuery(listLocationColumns(place), [size], row_limit),
  }),
  spec: (_frames, settings, context): MapSpec =>
    buildMapSpec(
      weightedLayerBase(settings, context).map((layer) => ({
        ...layer,
        kind: 'cells',
        cellSize: settings.grid_size,
        color: toLayerColor(settings.color_picker),
      })),
      settings,
      context,
    ),
})
