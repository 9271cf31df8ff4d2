import Type from 'typebox'
import { control, defineChart } from '../define.ts'
import { choice, numberFormat } from '../shared/controls.ts'
import { weightControl } from '../shared/map/bins-form.ts'
import { layerQueryControls, mapViewControls, spatialControl } from '../shared/map/controls.ts'
import {
  readContours,
  mapLayerQuery,
  buildMapSpec,
  listLocationColumns,
  weightedLayerBase,
  withNotNullFilters,
} from '../shared/map/definition.ts'
import type { MapSpec } from '../shared/map/layers.ts'

/** Contour lines over the cells of a map; `rows` has one row per place. */
export default defineChart({
  viz_type: 'deck_contour',
  name: 'deck.gl Contour',
  category: 'Map',
  tags: ['deckGL', 'Spatial', 'Comparison'],
  description: 'Draws lines where a value on the map crosses thresholds and fills the areas between two thresholds.',
  icon: 'M2.500 8c0-3 2.500-5 5.500-5s5.500 2 5.500 4.500S11 13 8 13s-5.500-2-5.500-5zM5 8c0-1.500 1.300-2.500 3-2.500s3 .8 3 2.200S9.800 10.500 8 10.500 5 9.500 5 8z',
  series: [],
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL'],
  form: Type.Object({
    spatial: spatialControl('Longitude and latitude'),
    size: weightControl,
    ...layerQueryControls(),
    aggregation: control(choice(['sum', 'min', 'max', 'mean'], 'sum'), {
      label: 'Aggregation',
      group: 'look',
      options: { sum: 'Sum', min: 'Minimum', max: 'Maximum', mean: 'Mean' },
    }),
    cellSize: control(Type.Number({ default: 200, minimum: 0.001 }), {
      label: 'Cell size',
      group: 'look',
      description: 'Side length of each cell, in meters.',
      presets: [200, 1000, 10_000, 100_000, 500_000].map((meters) => [meters] as const),
    }),
    contours: control(
      Type.Array(Type.Object({}), {
        default: [
          { lowerThreshold: 1, color: [49, 87, 203], strokeWidth: 1 },
          { lowerThreshold: 4, upperThreshold: 1000, color: [203, 90, 20] },
        ],
      }),
      {
        label: 'Contours',
        group: 'look',
        as: 'contours',
        description: 'Lines at one threshold, or areas between two.',
      },
    ),
    number_format: numberFormat('Number format'),
    ...mapViewControls,
  }),
  initialSettings: { row_limit: 10_000, cellSize: 200_000 },
  baseForms: { rows: (form) => withNotNullFilters(form, listLocationColumns(form.spatial)) },
  queries: ({ spatial: place, size, row_limit }) => ({
    rows: mapLayerQuery(listLocationColumns(place), [size], row_limit),
  }),
  spec: (_frames, settings, context): MapSpec =>
    buildMapSpec(
      weightedLayerBase(settings, context).map((layer) => ({
        ...layer,
        kind: 'contours',
        cellSize: settings.cellSize,
        aggregate: settings.aggregation,
        contours: readContours(settings.contours),
      })),
      settings,
      context,
    ),
})
