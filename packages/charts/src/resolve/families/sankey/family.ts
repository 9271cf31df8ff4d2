import { CustomChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { drawnAt, picked, readWidths, sizeOfFlow, walkFlow, type Flow } from '../../flow/marks.ts'
import { describeFlow, flowTip, leftOutSaid } from '../../flow/said.ts'
import { noteUnder } from '../../note.ts'
import { byItself } from '../family.ts'
import { byColumn, columnsOf, heightsOf } from './layout.ts'
import { sankeyOption } from './option.ts'

export interface Sankey extends Flow {
  /** In which column each node stands. */
  columns: number[]
}

/** A height at which columns are put in order, whatever the picture has. */
const someHeight = 400

/** Nodes in columns, and links as wide as what goes along them. */
export default byItself<Sankey>({
  parts: [CustomChart, TitleComponent],
  /** Nodes column by column, from top to bottom. */
  read(series) {
    const flow = readWidths(series, true)
    const columns = columnsOf(flow)
    const rows = byColumn(columns)
    heightsOf(flow, rows, someHeight, false)
    const order = rows.flat()
    return { ...picked(flow, order), columns: order.map((at) => columns[at] ?? 0) }
  },
  option: sankeyOption,
  components: (_, flow, around) => ({ title: noteUnder(leftOutSaid(flow, around), around).title }),
  size: sizeOfFlow,
  isEmpty: ({ links }) => links.length === 0,
  /** Labels name the nodes. */
  legend: () => [],
  without: (flow) => flow,
  tip: flowTip,
  facts: () => null,
  walk: (flow, at, move) =>
    walkFlow(flow, at, move, (node) =>
      flow.columns.flatMap((column, other) => (column === flow.columns[node] ? [other] : [])),
    ),
  describe: describeFlow,
  targetOf: (flow, at) => ({ dataIndex: drawnAt(flow, at) }),
  atOf: ({ nodes, links }, { dataIndex }) => (dataIndex < nodes.length + links.length ? dataIndex : -1),
})
