import { TreeChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { formatter } from '../../../shared/formats/format.ts'
import { pathTo, navigateHierarchy } from '../../levels/marks.ts'
import { buildFootnote } from '../../footnote.ts'
import { toThemeColor } from '../../paint.ts'
import { fullFormat } from '../../tooltip.ts'
import { defineStandaloneFamily } from '../family.ts'
import { describeTreeFaults, readTree, type TreeMarks } from './marks.ts'
import { treeOption } from './option.ts'

/** Nodes and their descendants. */
export default defineStandaloneFamily<TreeMarks>({
  parts: [TreeChart, TitleComponent],
  read: readTree,
  option: treeOption,
  components: (_, marks, around) => ({ title: buildFootnote(describeTreeFaults(marks, around), around).title }),
  size: ({ items }) => items.length,
  isEmpty: ({ items }) => items.length === 0,
  /** The nodes are labeled. */
  legend: () => [],
  without: (marks) => marks,
  /** Shows the number, or the count of descendants, below the names of the ancestors. */
  tip({ items, color }, index, { rows = [] }, { theme, locale, translate }) {
    const { name = '', value = null, below = 0 } = items[index] ?? {}
    const [row] = rows
    const valueText = row
      ? formatter(fullFormat(row.format), locale)(value)
      : translate('picture.tree.below', '{count, plural, one {# node below} other {# nodes below}}', { count: below })
    return {
      title: pathTo(items, index).slice(0, -1).join(' / '),
      rows: [
        { name, color: toThemeColor(color, theme), value: valueText, share: null, number: value, isHovered: true },
      ],
      more: 0,
      total: null,
    }
  },
  facts: () => null,
  navigate: navigateHierarchy,
  describe(marks, { kind }, around) {
    const [first] = marks.items
    if (!first) return around.translate('picture.describe.empty', '{kind} with no data.', { kind })
    const summary = around.translate(
      'picture.describe.tree',
      '{kind} with {count, plural, one {# node} other {# nodes}} on {levels, plural, one {# level} other {# levels}}. Top level: {tops}.',
      {
        kind,
        count: marks.items.length,
        levels: 1 + marks.items.reduce((most, { depth }) => Math.max(most, depth), 0),
        tops: formatTopNames(marks),
      },
    )
    return [summary, describeTreeFaults(marks, around)].filter(Boolean).join(' ')
  },
  // ECharts first numbers the whole, then the invisible root of a forest.
  fromTarget: ({ isForest }, { dataIndex }) => dataIndex - (isForest ? 2 : 1),
  toTarget: ({ isForest }, index) => ({ dataIndex: index + (isForest ? 2 : 1) }),
})

const formatTopNames = ({ items }: TreeMarks): string => {
  const names = items.flatMap(({ parent, name }) => (parent === null ? [name] : []))
  return `${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}`
}
