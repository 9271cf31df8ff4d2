import { CustomChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import {
  toDrawnIndex,
  selectNodes,
  readDrawableFlow,
  countFlowMarks,
  navigateFlow,
  type Flow,
} from '../../flow/marks.ts'
import { describeFlow, buildFlowTooltip, describeOmissions } from '../../flow/texts.ts'
import { buildFootnote } from '../../footnote.ts'
import { defineStandaloneFamily } from '../family.ts'
import { byColumn, assignColumns, layOutSankey } from './layout.ts'
import { sankeyOption } from './option.ts'

export interface Sankey extends Flow {
  /** Column of each node. */
  columns: number[]
}

/** Arbitrary height for ordering the columns, independent of the chart. */
const someHeight = 400

/** Nodes in columns, connected by links as wide as their numbers. */
export default defineStandaloneFamily<Sankey>({
  parts: [CustomChart, TitleComponent],
  /** Reads the nodes column by column, from top to bottom. */
  read(series) {
    const flow = readDrawableFlow(series, true)
    const columns = assignColumns(flow)
    const rows = byColumn(columns)
    layOutSankey(flow, rows, someHeight, false)
    const order = rows.flat()
    return { ...selectNodes(flow, order), columns: order.map((index) => columns[index] ?? 0) }
  },
  option: sankeyOption,
  components: (_, flow, around) => ({ title: buildFootnote(describeOmissions(flow, around), around).title }),
  size: countFlowMarks,
  isEmpty: ({ links }) => links.length === 0,
  /** The nodes are labeled. */
  legend: () => [],
  without: (flow) => flow,
  tip: buildFlowTooltip,
  facts: () => null,
  navigate: (flow, index, move) =>
    navigateFlow(flow, index, move, (node) =>
      flow.columns.flatMap((column, other) => (column === flow.columns[node] ? [other] : [])),
    ),
  describe: describeFlow,
  toTarget: (flow, index) => ({ dataIndex: toDrawnIndex(flow, index) }),
  fromTarget: ({ nodes, links }, { dataIndex }) => (dataIndex < nodes.length + links.length ? dataIndex : -1),
})
