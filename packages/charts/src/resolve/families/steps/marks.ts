import type { Items } from '../../items/of-items.ts'
import { readParts, type Part } from '../../levels/marks.ts'
import type { SpecItem, SpecSeries } from '../family.ts'

interface Given extends SpecItem {
  value: number
  color: string
  more: number
  since: number | null
  children: Given[]
}

export interface Step extends Part {
  value: number
  more: number
  since: number | null
  level: number
  /** Its height, as parts of the whole picture. */
  from: number
  to: number
  /** How many nothing more happens to. */
  ends: number
}

export interface Steps extends Items<Step> {
  given: readonly Given[]
  entities: number
  /** Counts by what is not as the rows say. */
  faults: Partial<Record<'nameless' | 'long' | 'rare', number>>
  events: { name: string; color: string }[]
}

export function readSteps(series: SpecSeries): Steps {
  const given = (series.data ?? []) as Given[]
  const found = laidOut({
    name: series.name ?? '',
    color: '',
    given,
    entities: Number(series.entities ?? 0),
    faults: (series.faults ?? {}) as Steps['faults'],
  })
  const events = new Map(found.items.map(({ name, color }) => [name, color]))
  return { ...found, events: [...events].map(([name, color]) => ({ name, color })) }
}

/** The ways as they are when these events are skipped: what came after one comes after what was before it. */
export const withoutEvents = (steps: Steps, hidden: ReadonlySet<string>): Steps => ({
  ...steps,
  ...laidOut({ ...steps, given: skipped(steps.given, hidden) }),
})

function laidOut<S extends Pick<Steps, 'given' | 'name' | 'color'>>(steps: S) {
  const { items } = readParts({ type: '', data: [...steps.given] }) as Items<Step>
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

function skipped(given: readonly Given[], hidden: ReadonlySet<string>): Given[] {
  const lifted = given.flatMap((step): Given[] => {
    const children = skipped(step.children, hidden)
    return hidden.has(step.name) ? children : [{ ...step, children }]
  })
  return joined(lifted).toSorted((a, b) => b.value - a.value)
}

/** Steps of one name as one. */
function joined(all: readonly Given[]): Given[] {
  const byName = new Map<string, Given>()
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
            children: joined([...known.children, ...step.children]).toSorted((a, b) => b.value - a.value),
          }
        : step,
    )
  }
  return [...byName.values()]
}
