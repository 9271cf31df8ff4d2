import { CustomChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { formatter } from '../../../shared/formats/format.ts'
import { numberSaid } from '../../items/tip.ts'
import { levels } from '../../levels/levels.ts'
import { walkColumns } from '../../levels/marks.ts'
import { noteUnder } from '../../note.ts'
import { drawnColor, othersColor } from '../../paint.ts'
import { fullFormat, type TipRow } from '../../tooltip.ts'
import { byItself } from '../family.ts'
import { openedIn, openingOf, readPartition, type Partition } from './marks.ts'
import { changeText, noteOf, partitionOption, shareOf } from './option.ts'

/** Parts within parts, from column to column. */
export default byItself<Partition>({
  parts: [CustomChart, TitleComponent],
  read: readPartition,
  option: partitionOption,
  components: (_, marks, around) => ({ title: noteUnder(noteOf(marks, around), around).title }),
  size: ({ items }) => items.length,
  isEmpty: ({ isEmpty }) => isEmpty,
  /** Labels name the parts. */
  legend: () => [],
  without: (marks) => marks,
  opened: openedIn,
  opening: openingOf,
  /** Its number, its share and its change, with those of the parts around it. */
  tip(marks, at, { rows: [row] = [] }, around) {
    const { items, change, isRich } = marks
    const write = formatter(fullFormat(row?.format), around.locale)
    const path: number[] = []
    for (let up: number | null = at; up !== null; up = items[up]?.parent ?? null) path.unshift(up)
    const rowOf = (place: number): TipRow[] => {
      const item = items[place]
      // around others only what has a number is said
      if (!item || (item.value === null && place !== at)) return []
      const said = {
        name: item.name,
        color: drawnColor(item.color || othersColor, around.theme),
        value: numberSaid(item, write, around.say),
        share: change ? changeText(item, marks, around) : shareOf(items, place, around),
        number: item.value,
        isHovered: place === at,
      }
      return [said]
    }
    const names = path.map((place) => items[place]?.name ?? '')
    const title = [...marks.around, ...(isRich ? [] : names.slice(0, -1))].join(' / ')
    return { title, rows: (isRich ? path : [at]).flatMap(rowOf), more: 0, total: null }
  },
  facts: () => null,
  walk: walkColumns,
  describe(marks, said, around) {
    return [levels.describe(marks, said, around), noteOf(marks, around)].filter(Boolean).join(' ')
  },
})
