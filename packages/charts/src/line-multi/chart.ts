import { defineChart } from '../define.ts'
import { upgradeSeriesNames } from '../shared/time-series/legacy.ts'
import { form } from './form.ts'
import { buildLineLayers } from './layers.ts'
import { lineMultiSpec } from './spec.ts'

/**
 * Lines of other charts in one chart. They arrive as layers of a single query that returns no rows itself: each chart is queried
 * as saved, under this chart's time range and filters, with the viewer's permissions.
 */
export default defineChart({
  viz_type: 'line_multi',
  name: 'Multiple Line Charts',
  category: 'Evolution',
  tags: ['Legacy', 'Time', 'Line', 'Multi-Layers', 'Comparison'],
  description: 'Combines the lines of saved charts on one time axis, with y axes on the left and right.',
  icon: 'M2.5 2.5v11h11M4.5 10.5l3-3 2 1.5 4-4.5M4.5 6.5l3 3.5 3-1 3 2',
  series: ['line'],
  behaviors: [],
  form,
  queries: (settings) => ({
    charts: {
      columns: [],
      metrics: [{ expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'count' }],
      filters: [],
      extras: { where: '(1 = 0)' },
      annotation_layers: buildLineLayers(settings),
    },
  }),
  spec: (_, settings, context) => lineMultiSpec(settings, context),
  replaces: { line_multi: upgradeSeriesNames },
})
