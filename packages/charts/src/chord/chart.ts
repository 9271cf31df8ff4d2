import { labelOfColumn, labelOfMetric } from '@parquetry/model'
import { defineChart } from '../define.ts'
import { unique } from '../query/base-query.ts'
import { sortedInitially } from '../shared/controls.ts'
import { buildFlow } from '../shared/flow.ts'
import { form } from './form.ts'

/** Flows between pairs of nodes, as links within a ring; `links` has one row per link. */
export default defineChart({
  viz_type: 'chord',
  name: 'Chord Diagram',
  category: 'Flow',
  tags: ['Circular', 'Legacy', 'Proportional', 'Relational'],
  description:
    'Shows flows between a few items, such as trade, relocations or calls. The wider the link, the larger the value.',
  icon: 'M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11zM4 4.3q4 3.7 9.5 3.7M4.5 12.2q3.5-4.2 3-9.7M13.3 9.5q-5.3-1.5-8.8 2.7',
  series: ['chord'],
  thumbnail: { fixture: 'flights-between-hubs' },
  behaviors: [],
  form,
  initialSettings: sortedInitially,
  queries: ({ groupby, columns, metric, sort_by_metric, row_limit }) => ({
    links: {
      columns: unique([groupby ?? [], columns ?? []].flat(), labelOfColumn),
      metrics: metric ? [metric] : [],
      orderby: sort_by_metric && metric ? [[metric, false]] : [],
      row_limit,
    },
  }),
  spec: ({ links: frame }, { groupby, columns, metric }, context) => {
    const { nodes, links } = buildFlow(frame, { source: groupby, target: columns, metric }, context)
    const colorOf = context.colorsOf(nodes.map(({ name }) => name))
    return {
      tooltip: {
        trigger: 'item',
        rows: [{ field: 'value', format: metric ? context.formatOf(metric) : 'SMART_NUMBER', share: true }],
      },
      series: [
        {
          type: 'chord',
          name: metric ? context.displayName(labelOfMetric(metric)) : '',
          data: nodes.map(({ name }) => ({ name, color: colorOf(name) })),
          links,
        },
      ],
    }
  },
})
