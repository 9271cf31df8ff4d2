import { CustomChart } from 'echarts/charts'
import { formatter } from '../../../shared/formats/format.ts'
import { describePlots } from '../../axes/describe.ts'
import { positionValue } from '../../axes/plot.ts'
import { formatPositionTitle } from '../../axes/title.ts'
import { defineItemsFamily } from '../../items/items-family.ts'
import { fullFormat } from '../../tooltip.ts'
import { bandColors } from './bands.ts'
import { horizonOption } from './option.ts'
import { locateHorizonMark, readHorizon, navigateRows, type HorizonMarks } from './rows.ts'

/** Series in low rows: parts higher than the row wrap around to its bottom in a darker color. */
export default defineItemsFamily({
  parts: [CustomChart],
  read: readHorizon,
  option: horizonOption,
  /** The rows are labeled. */
  legend: () => [],
  without: (marks) => marks,
  tip(marks: HorizonMarks, index, tooltip, around) {
    const { theme, locale, translate } = around
    const { row: which, place } = locateHorizonMark(marks, index)
    const row = marks.rows[which]
    const write = formatter(fullFormat(marks.format), locale)
    const [number, change] = [row?.y[place] ?? null, row?.drawn[place] ?? null]
    const color = bandColors((change ?? 0) < 0 ? 'below' : 'above', theme)[1] ?? ''
    const base = { color, share: null }
    return {
      title: row ? formatPositionTitle(row, place, { tooltip, isTime: marks.isTime }, around) : '',
      rows: [
        { ...base, name: row?.name ?? '', value: write(number), number, isHovered: true },
        ...(marks.scale === 'change'
          ? [
              {
                ...base,
                name: translate('picture.horizon.tip', 'Change from the first value'),
                value: write(change),
                number: change,
                isHovered: false,
              },
            ]
          : []),
      ],
      more: 0,
      total: null,
    }
  },
  facts(marks: HorizonMarks, index) {
    const { row: which, place } = locateHorizonMark(marks, index)
    const row = marks.rows[which]
    if (!row) return null
    const along = {
      column: row.xColumn,
      value: positionValue(row, place),
      axis: marks.isTime ? 'time' : 'category',
    } as const
    return { key: row.key, along, values: { [row.name]: row.y[place] ?? null }, name: row.name }
  },
  navigate: navigateRows,
  describe: ({ rows, isTime, format }: HorizonMarks, { kind, tooltip }, around) =>
    describePlots(rows, { kind, tooltip: { ...tooltip, rows: [{ field: 'value', format }] }, isTime }, around),
})
