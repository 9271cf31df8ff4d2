import { CustomChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { drawnAt, readWidths, sizeOfFlow, walkFlow, type Flow } from '../../flow/marks.ts'
import { describeFlow, flowTip, leftOutSaid } from '../../flow/said.ts'
import { noteUnder } from '../../note.ts'
import { byItself } from '../family.ts'
import { chordOption } from './option.ts'

/** Nodes around a ring, and links through its middle. */
export default byItself<Flow>({
  parts: [CustomChart, TitleComponent],
  read: (series) => readWidths(series, false),
  option: chordOption,
  components: (_, flow, around) => ({ title: noteUnder(leftOutSaid(flow, around), around).title }),
  size: sizeOfFlow,
  isEmpty: ({ links }) => links.length === 0,
  /** Labels name the nodes. */
  legend: () => [],
  without: (flow) => flow,
  tip: flowTip,
  facts: () => null,
  walk: walkFlow,
  describe: describeFlow,
  targetOf: (flow, at) => ({ dataIndex: drawnAt(flow, at) }),
  atOf: ({ nodes, links }, { dataIndex }) => (dataIndex < nodes.length + links.length ? dataIndex : -1),
})
