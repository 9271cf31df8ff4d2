import { CustomChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { formatter } from '../../../shared/formats/format.ts'
import { formatItemValue } from '../../items/tooltip.ts'
import { hierarchyDefaults } from '../../levels/hierarchy-defaults.ts'
import { navigateColumns } from '../../levels/marks.ts'
import { buildFootnote } from '../../footnote.ts'
import { toThemeColor, othersColor } from '../../paint.ts'
import { fullFormat, type TooltipRow } from '../../tooltip.ts'
import { defineStandaloneFamily } from '../family.ts'
import { openPart, findOpenTarget, readPartition, type Partition } from './marks.ts'
import { changeText, buildPartitionNote, partitionOption, formatRootShare } from './option.ts'

/** Nested parts, one level per column. */
export default defineStandaloneFamily<Partition>({
  parts: [CustomChart, TitleComponent],
  read: readPartition,
  option: partitionOption,
  components: (_, marks, around) => ({ title: buildFootnote(buildPartitionNote(marks, around), around).title }),
  size: ({ items }) => items.length,
  isEmpty: ({ isEmpty }) => isEmpty,
  /** The parts are labeled. */
  legend: () => [],
  without: (marks) => marks,
  opened: openPart,
  opening: findOpenTarget,
  /** Shows the number, share and change of the part and of the parts around it. */
  tip(marks, index, { rows: [row] = [] }, around) {
    const { items, change, isRich } = marks
    const write = formatter(fullFormat(row?.format), around.locale)
    const path: number[] = []
    for (let up: number | null = index; up !== null; up = items[up]?.parent ?? null) path.unshift(up)
    const rowOf = (place: number): TooltipRow[] => {
      const item = items[place]
      // surrounding parts are shown only if they have a number
      if (!item || (item.value === null && place !== index)) return []
      const tooltipRow = {
        name: item.name,
        color: toThemeColor(item.color || othersColor, around.theme),
        value: formatItemValue(item, write, around.translate),
        share: change ? changeText(item, marks, around) : formatRootShare(items, place, around),
        number: item.value,
        isHovered: place === index,
      }
      return [tooltipRow]
    }
    const names = path.map((place) => items[place]?.name ?? '')
    const title = [...marks.around, ...(isRich ? [] : names.slice(0, -1))].join(' / ')
    return { title, rows: (isRich ? path : [index]).flatMap(rowOf), more: 0, total: null }
  },
  facts: () => null,
  navigate: navigateColumns,
  describe(marks, options, around) {
    return [hierarchyDefaults.describe(marks, options, around), buildPartitionNote(marks, around)]
      .filter(Boolean)
      .join(' ')
  },
})
