import { isNull } from '../cells.ts'
import { buildNumberColumn } from '../columns.ts'
import { take } from '../take.ts'
import type { Budget } from './budget.ts'
import { groupRows, factorize, withNull } from './keys.ts'
import { toNumbers } from './numbers.ts'
import type { Options } from './options.ts'
import { invalidStep } from './refusal.ts'
import { message } from '@parquetry/model/message'
import { getColumn, requireColumns, type Table } from './table.ts'

/**
 * `histogram`: counts the values of a column in `bins` of equal width, with a row per group and a column per bin named `<low> -
 * <high>`. Nulls are left out; rows with a null key form their own group. Names use whole numbers if these distinguish the bins,
 * otherwise numbers accurate to a hundredth of a bin; their parts are the exact edges. `normalize` divides by the count of all
 * values in all groups.
 */
export function histogram(table: Table, options: Options, budget: Budget): Table {
  const name = options.required('column', options.text('column'))
  const groupby = options.texts('groupby') ?? []
  const bins = options.integer('bins') ?? 5
  const cumulative = options.flag('cumulative') ?? false
  const normalize = options.flag('normalize') ?? false
  requireColumns(table, [name, ...groupby])
  if (bins < 1 || bins > 10_000)
    throw invalidStep(
      message('errors.frame.bins', '`bins` of `histogram` must be between 1 and {max, number}.', { max: 10_000 }),
    )

  const source = getColumn(table, name)
  const values = toNumbers(source, table.rows, 'histogram')
  const filled = values.filter((value) => Number.isFinite(value))
  const edges = computeEdges(filled, bins)
  const keys = groupby.map((one) => getColumn(table, one))
  const grouped = groupRows(
    keys.map((column) => withNull(factorize(column, table.rows))),
    table.rows,
  )
  const members = grouped.members
    .map((rows) => rows.filter((row) => !isNull(source, row) && Number.isFinite(values[row])))
    .filter((rows) => rows.length > 0)
  const work = members.length * bins * 4
  budget.admit('histogram', { rows: members.length, columns: groupby.length + bins, work })
  const counts = members.map((rows) => countBins(rows, values, edges, cumulative))
  const all = normalize ? members.reduce((sum, rows) => sum + rows.length, 0) : 1
  return {
    rows: members.length,
    levels: [null],
    index: null,
    columns: [
      ...groupby.map((one, index) => ({
        label: [one],
        data: take(
          keys[index]!,
          members.map((rows) => rows[0]!),
        ),
      })),
      ...formatBinNames(edges).map((label, bin) => ({
        label: [label],
        data: buildNumberColumn(
          label,
          Float64Array.from(counts, (one) => one[bin]! / all),
          !normalize,
        ),
        parts: [String(edges[bin]!), String(edges[bin + 1]!)],
      })),
    ],
  }
}

/** Edges of the bins; for a single value, half a unit on either side of it. */
function computeEdges(values: Float64Array, bins: number): Float64Array {
  let low = Infinity
  let high = -Infinity
  for (const value of values) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (values.length === 0) [low, high] = [0, 1]
  if (low === high) [low, high] = [low - 0.5, high + 0.5]
  return Float64Array.from({ length: bins + 1 }, (_, index) =>
    index === bins ? high : low + ((high - low) * index) / bins,
  )
}

/** Only the last bin includes its upper edge. */
function countBins(rows: Int32Array, values: Float64Array, edges: Float64Array, cumulative: boolean): Float64Array {
  const bins = edges.length - 1
  const counts = new Float64Array(bins)
  const [low, high] = [edges[0]!, edges[bins]!]
  for (const row of rows) {
    const value = values[row]!
    let bin = Math.min(bins - 1, Math.floor(((value - low) / (high - low)) * bins))
    // The quotient may be off by one at an edge.
    if (value < edges[bin]!) bin--
    else if (bin < bins - 1 && value >= edges[bin + 1]!) bin++
    counts[bin]!++
  }
  if (cumulative) for (let bin = 1; bin < bins; bin++) counts[bin]! += counts[bin - 1]!
  return counts
}

function formatBinNames(edges: Float64Array): string[] {
  const width = edges[1]! - edges[0]!
  const near = (list: readonly string[], digits: number): boolean =>
    new Set(list).size === list.length &&
    (digits === 0 || list.every((text, index) => Math.abs(Number(text) - edges[index]!) <= width / 100))
  const tried = [0, 1, 2, 3, 4, 6, 9, 12].map((digits) => ({
    digits,
    list: Array.from(edges, (edge) => shown(edge, digits)),
  }))
  const list = tried.find((one) => near(one.list, one.digits))?.list ?? Array.from(edges, String)
  return list.slice(1).map((high, bin) => `${list[bin]!} - ${high}`)
}

const shown = (value: number, digits: number): string =>
  digits === 0 ? String(Math.trunc(value)) : String(Number(value.toFixed(digits)))
