import type { Frame } from '@parquetry/frame'
import { labelOfColumn, labelOfMetric } from '@parquetry/model'
import type { Static } from 'typebox'
import { defineChart, type SpecContext } from '../define.ts'
import { unique } from '../query/base-query.ts'
import { findColumn } from '../shared/column.ts'
import { dimensionFormatter } from '../shared/items.ts'
import { buildForest } from './forest.ts'
import { form } from './form.ts'

/** A hierarchy; `nodes` has one row per node. */
export default defineChart({
  viz_type: 'tree_chart',
  name: 'Tree Chart',
  category: 'Part of a Whole',
  tags: ['Categorical', 'ECharts', 'Multi-Levels', 'Relational', 'Structural'],
  description: 'Shows a hierarchy, such as an organization, folders or a family, from rows that name their parent.',
  icon: 'M2.5 8h4M6.5 3.5v9M6.5 3.5h3M6.5 8h3M6.5 12.5h3M11 2.2a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6zM11 6.7a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6zM11 11.2a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6z',
  series: ['tree'],
  exampleGallery: ['animals'],
  behaviors: [],
  form,
  // labels below nodes only fit when there are few nodes
  initialSettings: { child_label_position: 'right' },
  queries: ({ id, parent, name, metric, row_limit }) => ({
    nodes: {
      columns: unique([id ?? [], parent ?? [], name ?? []].flat(), labelOfColumn),
      metrics: metric ? [metric] : [],
      // only the first of several rows with the same id is used
      orderby: [id ?? [], parent ?? []].flat().map((column) => [column, true]),
      row_limit,
    },
  }),
  spec: ({ nodes }, settings, context) => {
    const { metric } = settings
    const isRadial = settings.layout === 'radial'
    return {
      tooltip: {
        trigger: 'item',
        ...(metric && { rows: [{ field: 'value', format: context.formatOf(metric) }] }),
      },
      series: [
        {
          type: 'tree',
          name: metric ? context.displayName(labelOfMetric(metric)) : '',
          color: context.colorsOf([])(''),
          layout: settings.layout,
          ...(!isRadial && {
            orient: settings.orient,
            labels: { node: settings.node_label_position, child: settings.child_label_position },
          }),
          emphasis: { focus: settings.emphasis },
          symbol: settings.symbol,
          symbolSize: settings.symbolSize,
          roam: settings.roam,
          ...buildNodes(nodes, settings, context),
        },
      ],
    }
  },
})

function buildNodes(frame: Frame | undefined, settings: Static<typeof form>, context: SpecContext) {
  const { name, metric, root_node_id: root } = settings
  const findNamed = (column: Static<typeof form>['id'] | null | undefined) =>
    column && frame ? findColumn(frame, labelOfColumn(column)) : undefined
  const [id, parent] = [findNamed(settings.id), findNamed(settings.parent)]
  if (!frame || !id || !parent) return { data: [], faults: {} }
  const columns = {
    id,
    parent,
    name: findNamed(name),
    metric: metric ? findColumn(frame, labelOfMetric(metric)) : undefined,
  }
  const { nodes, faults } = buildForest(frame, columns, {
    root: root || null,
    nameOf: dimensionFormatter(context, 'smart_date'),
  })
  return { data: nodes, faults }
}
