import { CustomChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { formatter } from '../../../shared/formats/format.ts'
import { pathTo, navigateColumns } from '../../levels/marks.ts'
import { buildFootnote } from '../../footnote.ts'
import { toThemeColor } from '../../paint.ts'
import type { RenderContext } from '../../render-context.ts'
import type { TooltipRow } from '../../tooltip.ts'
import { defineStandaloneFamily } from '../family.ts'
import { readStepMarks, withoutEvents, type StepMarks } from './marks.ts'
import { stepsOption } from './option.ts'
import { describeStepFaults } from './faults.ts'

/** Maximum number of steps in the name of a path; the last ones. */
const maxNames = 6

/** Sequences of events, from column to column. */
export default defineStandaloneFamily<StepMarks>({
  parts: [CustomChart, TitleComponent],
  read: readStepMarks,
  option: stepsOption,
  components: (_, steps, around) => ({ title: buildFootnote(describeStepFaults(steps, around), around).title }),
  size: ({ items }) => items.length,
  isEmpty: ({ items }) => items.length === 0,
  legend: ({ events }) => events,
  without: withoutEvents,
  tip(steps, index, _, around) {
    const { items } = steps
    const item = items[index]
    const path = pathTo(items, index)
    const title = [...(path.length > maxNames ? ['…'] : []), ...path.slice(-maxNames)].join(' → ')
    return { title, rows: item ? buildStepRows(item, steps, around) : [], more: 0, total: null, isOfOne: true }
  },
  facts: () => null,
  navigate: navigateColumns,
  describe(steps, { kind }, around) {
    const { items, entities, name } = steps
    const [first] = items
    if (!first) return around.translate('picture.describe.empty', '{kind} with no data.', { kind })
    const summary = around.translate(
      'picture.describe.steps',
      '{kind} of {count, number} sequences by {names}, up to {levels, plural, one {# step} other {# steps}} long. Most common first step: {first} ({begin, number}).',
      {
        kind,
        names: name,
        count: entities,
        levels: 1 + items.reduce((most, { level }) => Math.max(most, level), 0),
        first: first.name,
        begin: first.value,
      },
    )
    return [summary, describeStepFaults(steps, around)].filter(Boolean).join(' ')
  },
  // items after the steps are not marks
  fromTarget: ({ items }, { dataIndex }) => (dataIndex < items.length ? dataIndex : -1),
})

/**
 * Tooltip rows: how many reach the step, their share of all and of the previous step, how many stop there, and how long it takes.
 */
function buildStepRows(
  item: StepMarks['items'][number],
  { items, entities, name }: StepMarks,
  around: RenderContext,
): TooltipRow[] {
  const { translate, locale, theme } = around
  const color = toThemeColor(item.color, theme)
  const count = formatter(',d', locale)
  const part = formatter(',.1~%', locale)
  const before = item.parent === null ? undefined : items[item.parent]
  const row = (title: string, value: string, isHovered = false): TooltipRow => ({
    name: title,
    color,
    value,
    share: null,
    number: item.value,
    isHovered,
  })
  return [
    row(name, count(item.value), true),
    row(translate('picture.steps.ofAll', 'Share of all'), part(item.value / Math.max(1, entities))),
    ...(before
      ? [row(translate('picture.steps.ofBefore', 'Share of previous step'), part(item.value / before.value))]
      : []),
    ...(item.ends > 0 ? [row(translate('picture.steps.ends', 'End here'), count(item.ends))] : []),
    ...(item.more > 0 ? [row(translate('picture.steps.more', 'Continue (not shown)'), count(item.more))] : []),
    ...(before && item.since !== null
      ? [
          row(
            translate('picture.steps.since', 'Mean time since first step'),
            formatter('DURATION', locale)(item.since / item.value),
          ),
        ]
      : []),
  ]
}
