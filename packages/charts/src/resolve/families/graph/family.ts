import { GraphChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { drawnAt, partAt, sizeOfFlow, walkFlow } from '../../flow/marks.ts'
import { describeFlow, flowTip, leftOutSaid } from '../../flow/said.ts'
import { noteUnder } from '../../note.ts'
import { byItself } from '../family.ts'
import { readGraph, withoutCategories, type Graph } from './marks.ts'
import { graphOption, middleOf } from './option.ts'

/** Nodes with links between them. */
export default byItself<Graph>({
  parts: [GraphChart, TitleComponent],
  read: readGraph,
  option: graphOption,
  components: (_, graph, around) => ({ title: noteUnder(leftOutSaid(graph, around), around).title }),
  size: sizeOfFlow,
  isEmpty: ({ nodes }) => nodes.length === 0,
  legend: ({ categories }) => categories,
  without: withoutCategories,
  tip: flowTip,
  facts(graph, at) {
    const part = partAt(graph, at)
    if ('node' in part) {
      const { key = {}, name = '', sent = 0, received = 0 } = graph.nodes[part.node] ?? {}
      return Object.keys(key).length > 0 ? { key, values: { [graph.name]: sent + received }, name } : null
    }
    const { key = {}, value = null } = graph.links[part.link] ?? {}
    return Object.keys(key).length > 0 ? { key, values: { [graph.name]: value }, name: '' } : null
  },
  walk: walkFlow,
  describe: describeFlow,
  // ECharts counts nodes and links apart
  targetOf(graph, at, series, around) {
    const place = drawnAt(graph, at) - graph.nodes.length
    return place < 0
      ? { dataIndex: at }
      : { dataIndex: place, dataType: 'edge', point: middleOf(graph, place, series, around) }
  },
  atOf: ({ nodes }, { dataIndex, dataType }) => (dataType === 'edge' ? nodes.length + dataIndex : dataIndex),
})
