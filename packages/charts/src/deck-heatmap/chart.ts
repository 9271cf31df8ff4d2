import Type from 'typebox'
import { control, defineChart } from '../define.ts'
import { choice } from '../shared/controls.ts'
import { linearScheme } from '../shared/linear-scheme.ts'
import { weightControl } from '../shared/map/bins-form.ts'
import { layerQueryControls, mapViewControls, spatialControl } from '../shared/map/controls.ts'
import {
  mapLayerQuery,
  buildMapSpec,
  listLocationColumns,
  weightedLayerBase,
  withNotNullFilters,
} from '../shared/map/definition.ts'
import type { MapSpec } from '../shared/map/layers.ts'

/** Density of points on a map; `rows` has one row per place. */
export default defineChart({
  viz_type: 'deck_heatmap',
  name: 'deck.gl Heatmap',
  category: 'Map',
  tags: ['deckGL', 'Spatial', 'Comparison'],
  description: 'Shows where points on a map are concentrated, using heat colors.',
  icon: 'M8 2.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11zM8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 8h.01',
  series: [],
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL'],
  form: Type.Object({
    spatial: spatialControl('Longitude and latitude'),
    size: weightControl,
    ...layerQueryControls(),
    aggregation: control(choice(['SUM', 'MEAN'], 'SUM'), {
      label: 'Aggregation',
      group: 'look',
      options: { SUM: 'Sum', MEAN: 'Mean' },
      description: 'Images rendered without a browser always show the sum.',
    }),
    radius_pixels: control(Type.Number({ default: 30, minimum: 1, maximum: 200 }), {
      label: 'Intensity radius',
      group: 'look',
      description: 'How far the heat of each point extends, in pixels.',
    }),
    intensity: control(Type.Number({ default: 1, minimum: 0 }), {
      label: 'Intensity',
      group: 'look',
      description: 'Values above 1 make cooler areas more visible.',
    }),
    linear_color_scheme: linearScheme(),
    ...mapViewControls,
  }),
  initialSettings: { row_limit: 10_000, linear_color_scheme: 'dawn' },
  baseForms: { rows: (form) => withNotNullFilters(form, listLocationColumns(form.spatial)) },
  queries: ({ spatial: place, size, row_limit }) => ({
    rows: mapLayerQuery(listLocationColumns(place), [size], row_limit),
  }),
  spec: (_frames, settings, context): MapSpec =>
    buildMapSpec(
      weightedLayerBase(settings, context).map((layer) => ({
        ...layer,
        kind: 'heat',
        radius: settings.radius_pixels,
        intensity: settings.intensity,
        isMean: settings.aggregation === 'MEAN',
        scheme: settings.linear_color_scheme,
      })),
      settings,
      context,
    ),
})
