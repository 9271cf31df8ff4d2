import Type from 'typebox'
import { control, defineChart } from '../define.ts'
import { legendControls, mapViewControls } from '../shared/map/controls.ts'
import { buildMapSpec } from '../shared/map/definition.ts'
import type { CombinedMapSpec } from '../shared/map/combined-maps.ts'
import { buildMapLayers } from './layers.ts'

/** Overlaid maps of other charts, the first one at the bottom; each queries its own dataset. */
export default defineChart({
  viz_type: 'deck_multi',
  name: 'deck.gl Multiple Layers',
  category: 'Map',
  tags: ['deckGL', 'Multi-Layers'],
  description: 'Overlays the maps of several saved charts.',
  icon: 'M8 2.500l6 3-6 3-6-3zM2 8.300l6 3 6-3M2 11l6 3 6-3',
  series: [],
  behaviors: [],
  form: Type.Object({
    deck_slices: control(Type.Array(Type.Union([Type.Integer(), Type.String()]), { minItems: 1 }), {
      label: 'deck.gl charts',
      group: 'query',
      as: 'maps',
      description: 'Saved map charts, bottom layer first.',
    }),
    legend_position: legendControls.legend_position,
    ...mapViewControls,
  }),
  queries: ({ deck_slices }) => ({
    // The data arrives with the layers; this query only carries them.
    map: {
      columns: [],
      metrics: [{ expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'count' }],
      orderby: [],
      row_limit: 1,
      annotation_layers: buildMapLayers(deck_slices),
    },
  }),
  spec: (_frames, settings, context): CombinedMapSpec => ({
    ...buildMapSpec([], settings, context),
    maps: settings.deck_slices.flatMap((id) => {
      const { records, form_data } = context.annotations[String(id)] ?? {}
      return records && form_data ? [{ name: String(id), records, form: form_data }] : []
    }),
    ...(context.isAnalogous && { isAnalogous: true }),
    missingMaps: settings.deck_slices.filter((id) => !context.annotations[String(id)]).length,
  }),
})
