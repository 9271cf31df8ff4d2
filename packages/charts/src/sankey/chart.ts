import { labelOfColumn, labelOfMetric } from '@parquetry/model'
import { defineChart } from '../define.ts'
import { unique } from '../query/base-query.ts'
import { sortedInitially } from '../shared/controls.ts'
import { buildFlow } from '../shared/flow.ts'
import { form, fromLegacySankey } from './form.ts'

/** Flow from sources to targets, from left to right; `links` has one row per link. */
export default defineChart({
  viz_type: 'sankey_v2',
  name: 'Sankey Chart',
  category: 'Flow',
  tags: ['Directional', 'ECharts', 'Distribution', 'Flow'],
  description:
    'Shows how money, energy, people or other quantities flow from step to step. The wider the link, the larger the value.',
  icon: 'M2.5 2.5v5M2.5 10v3.5M13.5 2.5v3M13.5 8v5.5M2.5 4c5.5 0 5.5 6 11 6M2.5 12c5.5 0 5.5-8 11-8',
  series: ['sankey'],
  thumbnail: { fixture: 'flights-from-hubs' },
  behaviors: [],
  form,
  initialSettings: sortedInitially,
  queries: ({ source, target, metric, sort_by_metric, row_limit }) => ({
    links: {
      columns: unique([source ?? [], target ?? []].flat(), labelOfColumn),
      metrics: metric ? [metric] : [],
      orderby: sort_by_metric && metric ? [[metric, false]] : [],
      row_limit,
    },
  }),
  spec: ({ links: frame }, settings, context) => {
    const { metric } = settings
    const { nodes, links } = buildFlow(frame, settings, context)
    const colorOf = context.colorsOf(nodes.map(({ name }) => name))
    return {
      tooltip: {
        trigger: 'item',
        rows: [{ field: 'value', format: metric ? context.formatOf(metric) : 'SMART_NUMBER', share: true }],
      },
      series: [
        {
          type: 'sankey',
          name: metric ? context.displayName(labelOfMetric(metric)) : '',
          data: nodes.map(({ name }) => ({ name, color: colorOf(name) })),
          links,
        },
      ],
    }
  },
  replaces: { sankey: fromLegacySankey },
})
