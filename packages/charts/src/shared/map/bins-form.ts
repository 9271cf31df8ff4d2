import Type from 'typebox'
import { control, type Control } from '../../define.ts'
import { choice, flag, Metric, nullable, numberFormat } from '../controls.ts'
import { linearScheme } from '../linear-scheme.ts'
import { layerQueryControls, mapViewControls, spatialControl } from './controls.ts'
import { binAggregates, type BinAggregate } from './layers.ts'

const aggregateLabels: Record<BinAggregate, string> = {
  sum: 'Sum',
  min: 'Minimum',
  max: 'Maximum',
  mean: 'Mean',
  median: 'Median',
  count: 'Count',
  variance: 'Variance',
  deviation: 'Standard deviation',
  p1: '1st percentile',
  p5: '5th percentile',
  p95: '95th percentile',
  p99: '99th percentile',
}

export const weightControl = control(Type.Optional(nullable(Metric)), {
  label: 'Weight',
  group: 'query',
  as: 'metric',
  description: 'Value of each location. Leave empty to count each row once.',
})

/** Form of points aggregated by location into hexagons or squares. */
export const binsForm = (grid: Pick<Control, 'label' | 'description'>) => ({
  spatial: spatialControl('Longitude and latitude'),
  size: weightControl,
  ...layerQueryControls(),
  grid_size: control(Type.Number({ default: 20, minimum: 0.001 }), {
    ...grid,
    group: 'look',
    presets: [100, 1000, 10_000, 100_000, 500_000].map((meters) => [meters] as const),
  }),
  js_agg_function: control(choice(binAggregates, 'sum'), {
    label: 'Dynamic aggregation function',
    group: 'look',
    options: aggregateLabels,
    description: 'How the values in a cell are combined.',
  }),
  extruded: flag('Extruded', true, { description: 'Draws cells as 3D columns. Static images are flat.' }),
  linear_color_scheme: linearScheme(),
  opacity: control(Type.Number({ default: 80, minimum: 0, maximum: 100 }), {
    label: 'Opacity',
    group: 'look',
    description: 'From 0 to 100.',
  }),
  number_format: numberFormat('Number format'),
  ...mapViewControls,
})
