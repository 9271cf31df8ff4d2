import { labelOfColumn, labelOfMetric } from '@parquetry/model'
import { defineChart } from '../define.ts'
import { unique } from '../query/base-query.ts'
import { othersColor } from '../resolve/paint.ts'
import { buildFlow, type FlowNodeSpec } from '../shared/flow.ts'
import { form } from './form.ts'

/** Links between nodes; `links` has one row per link. */
export default defineChart({
  viz_type: 'graph_chart',
  name: 'Graph Chart',
  category: 'Flow',
  tags: ['Circular', 'Comparison', 'Directional', 'ECharts', 'Relational', 'Structural', 'Transformable'],
  description:
    'Shows connections between items, such as routes, contacts or tables. Nodes that share many links are close together.',
  icon: 'M4 2.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zM12.5 5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zM5 10.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zM5.5 4.4l5.5 1.7M4.1 5.5l.7 5M11.3 7.5l-5.2 3.600',
  series: ['graph'],
  thumbnail: { fixture: 'flights-from-four-states', form: { showSymbolThreshold: 1e9, edgeSymbol: 'none,none' } },
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form,
  queries: ({ source, target, source_category, target_category, metric, row_limit }) => ({
    links: {
      columns: unique(
        [source, target, source_category, target_category].flatMap((column) => column ?? []),
        labelOfColumn,
      ),
      metrics: metric ? [metric] : [],
      row_limit,
    },
  }),
  spec: ({ links: frame }, settings, context) => {
    const { source, target, metric } = settings
    const { nodes, links } = buildFlow(frame, settings, context)
    const categories = [...new Set(nodes.flatMap(({ category }) => category ?? []))]
    const colorOf = context.colorsOf(categories)
    const plain = categories.length > 0 ? othersColor : context.colorsOf([])('')
    // A node filters by the column it is in: the source column if it is a source.
    const keyOf = ({ from, to }: FlowNodeSpec) =>
      from === undefined ? { [labelOfColumn(target)]: to ?? null } : { [labelOfColumn(source)]: from }
    return {
      ...(settings.show_legend && categories.length > 0 && { legend: { position: settings.legendOrientation } }),
      tooltip: {
        trigger: 'item',
        rows: [{ field: 'value', format: metric ? context.formatOf(metric) : 'SMART_NUMBER' }],
      },
      series: [
        {
          type: 'graph',
          name: metric ? context.displayName(labelOfMetric(metric)) : '',
          layout: settings.layout,
          forces: {
            edgeLength: settings.edgeLength,
            gravity: settings.gravity,
            repulsion: settings.repulsion,
            friction: settings.friction,
          },
          sizes: { node: settings.baseNodeSize, edge: settings.baseEdgeWidth },
          symbols: settings.edgeSymbol.split(','),
          draggable: settings.draggable,
          roam: settings.roam,
          selectedMode: settings.selectedMode,
          labelFrom: settings.showSymbolThreshold,
          categories: categories.map((name) => ({ name, color: colorOf(name) })),
          data: nodes.map((node) => ({
            name: node.name,
            color: node.category === undefined ? plain : colorOf(node.category),
            key: keyOf(node),
            ...(node.category !== undefined && { category: node.category }),
          })),
          links: links.map((link) => ({
            ...link,
            key: {
              [labelOfColumn(source)]: nodes[link.source]?.from ?? null,
              [labelOfColumn(target)]: nodes[link.target]?.to ?? null,
            },
          })),
        },
      ],
    }
  },
})
