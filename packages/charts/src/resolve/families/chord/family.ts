import { CustomChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { toDrawnIndex, readDrawableFlow, countFlowMarks, navigateFlow, type Flow } from '../../flow/marks.ts'
import { describeFlow, buildFlowTooltip, describeOmissions } from '../../flow/texts.ts'
import { buildFootnote } from '../../footnote.ts'
import { defineStandaloneFamily } from '../family.ts'
import { chordOption } from './option.ts'

/** Nodes around a ring, with links through its middle. */
export default defineStandaloneFamily<Flow>({
  parts: [CustomChart, TitleComponent],
  read: (series) => readDrawableFlow(series, false),
  option: chordOption,
  components: (_, flow, around) => ({ title: buildFootnote(describeOmissions(flow, around), around).title }),
  size: countFlowMarks,
  isEmpty: ({ links }) => links.length === 0,
  /** Labels name the nodes. */
  legend: () => [],
  without: (flow) => flow,
  tip: buildFlowTooltip,
  facts: () => null,
  navigate: navigateFlow,
  describe: describeFlow,
  toTarget: (flow, index) => ({ dataIndex: toDrawnIndex(flow, index) }),
  fromTarget: ({ nodes, links }, { dataIndex }) => (dataIndex < nodes.length + links.length ? dataIndex : -1),
})
