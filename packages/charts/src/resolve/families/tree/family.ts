import { TreeChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { formatter } from '../../../shared/formats/format.ts'
import { pathTo, walkParts } from '../../levels/marks.ts'
import { noteUnder } from '../../note.ts'
import { drawnColor } from '../../paint.ts'
import { fullFormat } from '../../tooltip.ts'
import { byItself } from '../family.ts'
import { faultsSaid, readTree, type TreeMarks } from './marks.ts'
import { treeOption } from './option.ts'

/** Nodes and what stands below them. */
export default byItself<TreeMarks>({
  parts: [TreeChart, TitleComponent],
  read: readTree,
  option: treeOption,
  components: (_, marks, around) => ({ title: noteUnder(faultsSaid(marks, around), around).title }),
  size: ({ items }) => items.length,
  isEmpty: ({ items }) => items.length === 0,
  /** Labels name the nodes. */
  legend: () => [],
  without: (marks) => marks,
  /** Its number, or how many stand below it, under the names of those above it. */
  tip({ items, color }, at, { rows = [] }, { theme, locale, say }) {
    const { name = '', value = null, below = 0 } = items[at] ?? {}
    const [row] = rows
    const said = row
      ? formatter(fullFormat(row.format), locale)(value)
      : say('picture.tree.below', '{count, plural, one {# node below} other {# nodes below}}', { count: below })
    return {
      title: pathTo(items, at).slice(0, -1).join(' / '),
      rows: [{ name, color: drawnColor(color, theme), value: said, share: null, number: value, isHovered: true }],
      more: 0,
      total: null,
    }
  },
  facts: () => null,
  walk: walkParts,
  describe(marks, { kind }, around) {
    const [first] = marks.items
    if (!first) return around.say('picture.describe.empty', '{kind} with no data.', { kind })
    const said = around.say(
      'picture.describe.tree',
      '{kind} with {count, plural, one {# node} other {# nodes}} on {levels, plural, one {# level} other {# levels}}. Top level: {tops}.',
      {
        kind,
        count: marks.items.length,
        levels: 1 + marks.items.reduce((most, { depth }) => Math.max(most, depth), 0),
        tops: topsSaid(marks),
      },
    )
    return [said, faultsSaid(marks, around)].filter(Boolean).join(' ')
  },
  // ECharts counts the whole first, and the node above several at the top.
  atOf: ({ isForest }, { dataIndex }) => dataIndex - (isForest ? 2 : 1),
  targetOf: ({ isForest }, at) => ({ dataIndex: at + (isForest ? 2 : 1) }),
})

const topsSaid = ({ items }: TreeMarks): string => {
  const names = items.flatMap(({ parent, name }) => (parent === null ? [name] : []))
  return `${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}`
}
