import type { Mark } from '@parquetry/charts'
import { exactFields, labelOfColumn, type DataMaskEntry, type QueryFilter } from '@parquetry/model'

export const noCrossFilter: DataMaskEntry = { extraFormData: {}, filterState: { value: null }, ownState: {} }

type ClickedMark = Pick<Mark, 'filters' | 'key' | 'label'>

/**
 * Entry for a click on a mark; a second click on the same mark removes it.
 * @param adds  adds the mark to the current ones. If they cannot be combined into a condition on one column, it replaces them
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

/** Names of the columns that an entry filters. */
export function filteredColumnsOf({ extraFormData }: DataMaskEntry): string[] {
  const filters = extraFormData?.['filters']
  return Array.isArray(filters) ? [...new Set((filters as QueryFilter[]).map(({ col }) => labelOfColumn(col)))] : []
}

/** Marks by which a chart filters others; entries from other tools have none to add to. */
const marksOf = (entry: DataMaskEntry | undefined): ClickedMark[] =>
  Array.isArray(entry?.ownState?.marks) ? (entry.ownState.marks as ClickedMark[]) : []

/** Combines marks into one entry; null for none, or if they are more than a list of values of one column. */
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

function withoutValue(filter: QueryFilter): Pick<QueryFilter, 'col'> {
  const { op: _, val: __, isExact: ___, ...column } = filter
  return column
}

/** Combines alternative condition lists (OR) into one list (AND); null if more than one condition differs. */
function mergeConditions(lists: readonly QueryFilter[][]): QueryFilter[] | null {
  const [first = []] = lists
  if (lists.some((list) => list.length !== first.length)) return null
  const mergedConditions = first.map((filter, index) => {
    const all = lists.map((list) => list[index]!)
    const isOne = all.every((other) => JSON.stringify(other) === JSON.stringify(filter))
    if (isOne) return filter
    const column = withoutValue(filter)
    const values = [...new Set(all.map(valueOf))]
    const fits = all.every(
      (other) =>
        (other.op === '==' || other.op === 'IS NULL') && JSON.stringify(withoutValue(other)) === JSON.stringify(column),
    )
    return fits ? { differs: { ...column, op: 'IN', val: values, ...exactFields(values) } as QueryFilter } : null
  })
  if (
    mergedConditions.includes(null) ||
    mergedConditions.filter((condition) => condition && 'differs' in condition).length > 1
  )
    return null
  return mergedConditions.map((condition) => ('differs' in condition! ? condition.differs : condition!))
}

/**
 * Mark by which a chart filters others, as `selected` of its host; for several marks, their values. Undefined if it filters none.
 */
export const selectedOf = (entry: DataMaskEntry | undefined): Record<string, unknown> | undefined =>
  entry?.filterState?.selected as Record<string, unknown> | undefined
