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

/** Points aggregated into squares of a map; `rows` has one row per place. */
export default defineChart({
  viz_type: 'deck_grid',
  name: 'deck.gl Grid',
  category: 'Map',
  tags: ['deckGL', '3D', 'Comparison'],
  description: 'Counts or adds up the points in each square of a map.',
  icon: 'M2.500 2.500h11v11h-11zM2.500 8h11M8 2.500v11',
  series: [],
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL'],
  form: Type.Object(binsForm({ label: 'Grid size', description: 'Side length of each square, in meters.' })),
  initialSettings: { row_limit: 10_000, grid_size: 100_000, extruded: false },
  baseForms: { rows: (form) => withNotNullFilters(form, listLocationColumns(form.spatial)) },
  queries: ({ spatial, size, row_limit }) => ({ rows: mapLayerQuery(listLocationColumns(spatial), [size], row_limit) }),
  spec: (_frames, settings, context): MapSpec =>
    buildMapSpec(binsLayer(settings, 'square', context), settings, context),
})
