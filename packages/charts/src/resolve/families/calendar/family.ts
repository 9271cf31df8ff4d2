import { CustomChart } from 'echarts/charts'
import { formatter } from '../../../shared/formats/format.ts'
import { describePlots } from '../../axes/describe.ts'
import { defineItemsFamily } from '../../items/items-family.ts'
import { fullFormat, formatTooltipTitle, unfinishedTitle, type SpecTooltip } from '../../tooltip.ts'
import type { RenderContext } from '../../render-context.ts'
import { createStepColor, buildStepColors } from './colors.ts'
import { locateCalendarMark, readCalendar, navigateCalendar, type Calendar } from './marks.ts'
import { calendarOption } from './option.ts'

/** Numbers per period as cells of a calendar. */
export default defineItemsFamily({
  parts: [CustomChart],
  read: readCalendar,
  option: calendarOption,
  /** Each measure has its own color steps, which are drawn below it. */
  legend: () => [],
  without: (marks) => marks,
  tip(calendar: Calendar, index, tooltip, around) {
    const { measure, time } = locateCalendarMark(calendar, index)
    const shown = calendar.measures[measure]
    const { name = '', format, values } = shown ?? {}
    const number = values?.[time] ?? null
    const colors = buildStepColors(calendar.look, around.theme.name)
    const color = shown && number !== null ? createStepColor(shown, colors)(number) : around.theme.grid
    const value = formatter(fullFormat(format), around.locale)(number)
    return {
      title: formatPeriodTitle(calendar, time, tooltip, around),
      rows: [{ name, color, value, share: null, number, isHovered: true }],
      more: 0,
      total: null,
    }
  },
  navigate: navigateCalendar,
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

function formatPeriodTitle(
  { times, unfinished }: Calendar,
  time: number,
  tooltip: SpecTooltip,
  around: RenderContext,
): string {
  const title = formatTooltipTitle(times[time] ?? null, tooltip, true, around)
  return times[time] === unfinished ? unfinishedTitle(title, around) : title
}
