import { CustomChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { formatter } from '../../../shared/formats/format.ts'
import { pathTo, walkColumns } from '../../levels/marks.ts'
import { noteUnder } from '../../note.ts'
import { drawnColor } from '../../paint.ts'
import type { Surroundings } from '../../surroundings.ts'
import type { TipRow } from '../../tooltip.ts'
import { byItself } from '../family.ts'
import { readSteps, withoutEvents, type Steps } from './marks.ts'
import { stepsOption } from './option.ts'
import { faultsSaid } from './said.ts'

/** Of a way, the last steps that its name says. */
const mostNames = 6

/** What happens after what, from column to column. */
export default byItself<Steps>({
  parts: [CustomChart, TitleComponent],
  read: readSteps,
  option: stepsOption,
  components: (_, steps, around) => ({ title: noteUnder(faultsSaid(steps, around), around).title }),
  size: ({ items }) => items.length,
  isEmpty: ({ items }) => items.length === 0,
  legend: ({ events }) => events,
  without: withoutEvents,
  tip(steps, at, _, around) {
    const { items } = steps
    const item = items[at]
    const path = pathTo(items, at)
    const title = [...(path.length > mostNames ? ['…'] : []), ...path.slice(-mostNames)].join(' → ')
    return { title, rows: item ? rowsOf(item, steps, around) : [], more: 0, total: null, isOfOne: true }
  },
  facts: () => null,
  walk: walkColumns,
  describe(steps, { kind }, around) {
    const { items, entities, name } = steps
    const [first] = items
    if (!first) return around.say('picture.describe.empty', '{kind} with no data.', { kind })
    const said = around.say(
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
    return [said, faultsSaid(steps, around)].filter(Boolean).join(' ')
  },
  // behind the steps stands what belongs to none
  atOf: ({ items }, { dataIndex }) => (dataIndex < items.length ? dataIndex : -1),
})

/** How many come here, their part of all and of the step before, how many go no further, and how long it takes. */
function rowsOf(item: Steps['items'][number], { items, entities, name }: Steps, around: Surroundings): TipRow[] {
  const { say, locale, theme } = around
  const color = drawnColor(item.color, theme)
  const count = formatter(',d', locale)
  const part = formatter(',.1~%', locale)
  const before = item.parent === null ? undefined : items[item.parent]
  const row = (title: string, value: string, isHovered = false): TipRow => ({
    name: title,
    color,
    value,
    share: null,
    number: item.value,
    isHovered,
  })
  return [
    row(name, count(item.value), true),
    row(say('picture.steps.ofAll', 'Share of all'), part(item.value / Math.max(1, entities))),
    ...(before ? [row(say('picture.steps.ofBefore', 'Share of previous step'), part(item.value / before.value))] : []),
    ...(item.ends > 0 ? [row(say('picture.steps.ends', 'End here'), count(item.ends))] : []),
    ...(item.more > 0 ? [row(say('picture.steps.more', 'Continue (not shown)'), count(item.more))] : []),
    ...(before && item.since !== null
      ? [
          row(
            say('picture.steps.since', 'Mean time since first step'),
            formatter('DURATION', locale)(item.since / item.value),
          ),
        ]
      : []),
  ]
}
