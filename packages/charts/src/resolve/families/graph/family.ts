import { GraphChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { toDrawnIndex, locateFlowMark, countFlowMarks, navigateFlow } from '../../flow/marks.ts'
import { describeFlow, buildFlowTooltip, describeOmissions } from '../../flow/texts.ts'
import { buildFootnote } from '../../footnote.ts'
import { defineStandaloneFamily } from '../family.ts'
import { readGraph, withoutCategories, type Graph } from './marks.ts'
import { graphOption, findLinkMidpoint } from './option.ts'

/** Nodes connected by links. */
export default defineStandaloneFamily<Graph>({
  parts: [GraphChart, TitleComponent],
  read: readGraph,
  option: graphOption,
  components: (_, graph, around) => ({ title: buildFootnote(describeOmissions(graph, around), around).title }),
  size: countFlowMarks,
  isEmpty: ({ nodes }) => nodes.length === 0,
  legend: ({ categories }) => categories,
  without: withoutCategories,
  tip: buildFlowTooltip,
  facts(graph, index) {
    const part = locateFlowMark(graph, index)
    if ('node' in part) {
      const { key = {}, name = '', sent = 0, received = 0 } = graph.nodes[part.node] ?? {}
      return Object.keys(key).length > 0 ? { key, values: { [graph.name]: sent + received }, name } : null
    }
    const { key = {}, value = null } = graph.links[part.link] ?? {}
    return Object.keys(key).length > 0 ? { key, values: { [graph.name]: value }, name: '' } : null
  },
  navigate: navigateFlow,
  describe: describeFlow,
  // ECharts numbers nodes and links separately
  toTarget(graph, index, series, around) {
    const place = toDrawnIndex(graph, index) - graph.nodes.length
    return place < 0
      ? { dataIndex: index }
      : { dataIndex: place, dataType: 'edge', point: findLinkMidpoint(graph, place, series, around) }
  },
  fromTarget: ({ nodes }, { dataIndex, dataType }) => (dataType === 'edge' ? nodes.length + dataIndex : dataIndex),
})
