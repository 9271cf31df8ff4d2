import type { Items } from '../../items/items-family.ts'
import { readHierarchy, type HierarchyItem } from '../../levels/marks.ts'
import type { SpecItem, SpecSeries } from '../family.ts'

interface SpecStep extends SpecItem {
  value: number
  color: string
  more: number
  since: number | null
  children: SpecStep[]
}

export interface StepItem extends HierarchyItem {
  value: number
  more: number
  since: number | null
  level: number
  /** Top and bottom, as shares of the chart's height. */
  from: number
  to: number
  /** Number of entities for which this is the last step. */
  ends: number
}

export interface StepMarks extends Items<StepItem> {
  given: readonly SpecStep[]
  entities: number
  /** Counts of problems in the rows, by kind. */
  faults: Partial<Record<'nameless' | 'long' | 'rare', number>>
  events: { name: string; color: string }[]
}

export function readStepMarks(series: SpecSeries): StepMarks {
  const given = (series.data ?? []) as SpecStep[]
  const found = layOutSteps({
    name: series.name ?? '',
    color: '',
    given,
    entities: Number(series.entities ?? 0),
    faults: (series.faults ?? {}) as StepMarks['faults'],
  })
  const events = new Map(found.items.map(({ name, color }) => [name, color]))
  return { ...found, events: [...events].map(([name, color]) => ({ name, color })) }
}

/** Paths without the hidden events: the steps after one follow the step before it. */
export const withoutEvents = (steps: StepMarks, hidden: ReadonlySet<string>): StepMarks => ({
  ...steps,
  ...layOutSteps({ ...steps, given: skipEvents(steps.given, hidden) }),
})

function layOutSteps<S extends Pick<StepMarks, 'given' | 'name' | 'color'>>(steps: S) {
  const { items } = readHierarchy({ type: '', data: [...steps.given] }) as Items<StepItem>
  const whole = items.reduce((sum, { parent, value }) => sum + (parent === null ? value : 0), 0) || 1
  const reached = new Map<number | null, number>()
  for (const item of items) {
    const above = item.parent === null ? undefined : items[item.parent]
    item.level = above ? above.level + 1 : 0
    item.from = reached.get(item.parent) ?? above?.from ?? 0
    item.to = item.from + item.value / whole
    reached.set(item.parent, item.to)
    item.ends = item.value - item.more
    if (above) above.ends -= item.value
  }
  return { ...steps, items }
}

function skipEvents(given: readonly SpecStep[], hidden: ReadonlySet<string>): SpecStep[] {
  const lifted = given.flatMap((step): SpecStep[] => {
    const children = skipEvents(step.children, hidden)
    return hidden.has(step.name) ? children : [{ ...step, children }]
  })
  return mergeByName(lifted).toSorted((a, b) => b.value - a.value)
}

/** Merges steps of the same name. */
function mergeByName(all: readonly SpecStep[]): SpecStep[] {
  const byName = new Map<string, SpecStep>()
  for (const step of all) {
    const known = byName.get(step.name)
    byName.set(
      step.name,
      known
        ? {
            ...known,
            value: known.value + step.value,
            more: known.more + step.more,
            since: known.since === null ? step.since : known.since + (step.since ?? 0),
            children: mergeByName([...known.children, ...step.children]).toSorted((a, b) => b.value - a.value),
          }
        : step,
    )
  }
  return [...byName.values()]
}
