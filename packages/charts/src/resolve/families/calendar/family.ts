import { CustomChart } from 'echarts/charts'
import { formatter } from '../../../shared/formats/format.ts'
import { describePlots } from '../../axes/describe.ts'
import { ofItems } from '../../items/of-items.ts'
import { fullFormat, titleOf, unfinishedTitle, type SpecTooltip } from '../../tooltip.ts'
import type { Surroundings } from '../../surroundings.ts'
import { colorIn, colorsOf } from './colors.ts'
import { partsAt, readCalendar, walkCalendar, type Calendar } from './marks.ts'
import { calendarOption } from './option.ts'

/** Numbers of periods as cells of a calendar. */
export default ofItems({
  parts: [CustomChart],
  read: readCalendar,
  option: calendarOption,
  /** Each measure has its own steps of colour, which are drawn below it. */
  legend: () => [],
  without: (marks) => marks,
  tip(calendar: Calendar, at, tooltip, around) {
    const { measure, time } = partsAt(calendar, at)
    const shown = calendar.measures[measure]
    const { name = '', format, values } = shown ?? {}
    const number = values?.[time] ?? null
    const colors = colorsOf(calendar.look, around.theme.name)
    const color = shown && number !== null ? colorIn(shown, colors)(number) : around.theme.grid
    const value = formatter(fullFormat(format), around.locale)(number)
    return {
      title: nameOf(calendar, time, tooltip, around),
      rows: [{ name, color, value, share: null, number, isHovered: true }],
      more: 0,
      total: null,
    }
  },
  walk: walkCalendar,
  describe: ({ times, measures }: Calendar, { kind, tooltip }, around) =>
    measures
      .map(({ name, format, values, column }) =>
        describePlots(
          [{ name, color: '', key: {}, x: times, y: values, xColumn: column }],
          { kind, tooltip: { ...tooltip, rows: [{ field: 'value', format }] }, isTime: true },
          around,
        ),
      )
      .join(' '),
})

function nameOf({ times, unfinished }: Calendar, time: number, tooltip: SpecTooltip, around: Surroundings): string {
  const title = titleOf(times[time] ?? null, tooltip, true, around)
  return times[time] === unfinished ? unfinishedTitle(title, around) : title
}
