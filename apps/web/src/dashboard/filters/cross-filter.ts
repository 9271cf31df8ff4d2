import type { Mark } from '@parquetry/charts'
import type { DataMaskEntry, QueryFilter } from '@parquetry/model'

export const noCrossFilter: DataMaskEntry = { extraFormData: {}, filterState: { value: null }, ownState: {} }

type ClickedMark = Pick<Mark, 'filters' | 'key' | 'label'>

/**
 * The entry that a click on a mark makes; a second click on the same mark takes it back.
 * @param adds  to those that filter already. Where both together are no condition on one column, the new one takes their place
 */
export function toggleCrossFilter(
  current: DataMaskEntry | undefined,
  { filters, key, label }: ClickedMark,
  adds = false,
): DataMaskEntry {
  const mark = { filters, key, label }
  const before = marksOf(current)
  const isSame = (other: ClickedMark) => JSON.stringify(other.key) === JSON.stringify(key)
  const others = before.filter((other) => !isSame(other))
  const isChosen = before.length > others.length || JSON.stringify(selectedOf(current)) === JSON.stringify(key)
  if (filters.length === 0) return noCrossFilter
  if (!adds) return isChosen && before.length <= 1 ? noCrossFilter : (buildEntry([mark]) ?? noCrossFilter)
  if (isChosen) return buildEntry(others) ?? noCrossFilter
  return buildEntry([...others, mark]) ?? buildEntry([mark]) ?? noCrossFilter
}

/** The marks that a chart filters others by; an entry of another tool has none that could be added to. */
const marksOf = (entry: DataMaskEntry | undefined): ClickedMark[] =>
  Array.isArray(entry?.ownState?.marks) ? (entry.ownState.marks as ClickedMark[]) : []

/** One entry for several marks; null for none, and when together they are more than a list of values of one column. */
function buildEntry(marks: readonly ClickedMark[]): DataMaskEntry | null {
  const [first] = marks
  const filters = first && mergeConditions(marks.map((mark) => mark.filters))
  if (!filters) return null
  const names = Object.keys(first.key)
  const values = (name: string) => [...new Set(marks.map(({ key }) => key[name]))]
  return {
    extraFormData: { filters },
    filterState: {
      value: names.flatMap(values),
      label: marks.map(({ label }) => label).join(', '),
      selected: Object.fromEntries(names.map((name) => [name, marks.length > 1 ? values(name) : first.key[name]])),
    },
    ownState: { marks: [...marks] },
  }
}

const valueOf = ({ op, val }: QueryFilter): unknown => (op === 'IS NULL' ? null : val)

/** Conditions of which one holds, as conditions that hold together: at most one of them may differ. */
function mergeConditions(lists: readonly QueryFilter[][]): QueryFilter[] | null {
  const [first = []] = lists
  if (lists.some((list) => list.length !== first.length)) return null
  const places = first.map((filter, at) => {
    const all = lists.map((list) => list[at]!)
    const isOne = all.every((other) => JSON.stringify(other) === JSON.stringify(filter))
    if (isOne) return filter
    const { op: _, val: __, ...column } = filter
    const fits = all.every(
      ({ op, val: ___, ...other }) =>
        (op === '==' || op === 'IS NULL') && JSON.stringify(other) === JSON.stringify(column),
    )
    return fits ? { differs: { ...column, op: 'IN', val: [...new Set(all.map(valueOf))] } as QueryFilter } : null
  })
  if (places.includes(null) || places.filter((place) => place && 'differs' in place).length > 1) return null
  return places.map((place) => ('differs' in place! ? place.differs : place!))
}

/** The mark that a chart filters others by, as `selected` of its host; of several, their values. Undefined when it filters none. */
export const selectedOf = (entry: DataMaskEntry | undefined): Record<string, unknown> | undefined =>
  entry?.filterState?.selected as Record<string, unknown> | undefined
