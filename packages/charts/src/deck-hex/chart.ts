import Type from 'typebox'
import { defineChart } from '../define.ts'
import { binsForm } from '../shared/map/bins-form.ts'
import {
  binsLayer,
  mapLayerQuery,
  buildMapSpec,
  listLocationColumns,
  withNotNullFilters,
} from '../shared/map/definition.ts'
import type { MapSpec } from '../shared/map/layers.ts'

/** Points aggregated into hexagons of a map; `rows` has one row per place. */
export default defineChart({
  viz_type: 'deck_hex',
  name: 'deck.gl 3D Hexagon',
  category: 'Map',
  tags: ['deckGL', '3D', 'Geo', 'Comparison'],
  description: 'Counts or adds up the points in each hexagon of a map.',
  icon: 'M8 2l5.200 3v6L8 14l-5.200-3V5zM8 2v6l5.200 3M8 8l-5.200 3',
  series: [],
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL'],
  form: Type.Object(
    binsForm({ label: 'Grid size', description: 'Distance from the center of a hexagon to its corners, in meters.' }),
  ),
  initialSettings: { row_limit: 10_000, grid_size: 100_000, extruded: false },
  baseForms: { rows: (form) => withNotNullFilters(form, listLocationColumns(form.spatial)) },
  queries: ({ spatial, size, row_limit }) => ({ rows: mapLayerQuery(listLocationColumns(spatial), [size], row_limit) }),
  spec: (_frames, settings, context): MapSpec =>
    buildMapSpec(binsLayer(settings, 'hexagon', context), settings, context),
})
