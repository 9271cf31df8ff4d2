import { buildColumn, numberAt, take, type Cell, type Column, type Frame } from '@parquetry/frame'
import { labelOfColumn, labelOfMetric, type QueryColumn, type QueryMetric } from '@parquetry/model'
import type { SpecContext } from '../define.ts'
import { createTranslator } from '../resolve/text.ts'
import { findColumn } from '../shared/column.ts'
import { isAdditive } from '../shared/aggregate-kind.ts'
import { grainFormat } from '../shared/formats/time.ts'
import { unfinishedPeriod } from '../shared/grain.ts'
import { findColumns, finiteAt, dimensionFormatter } from '../shared/items.ts'
import { buildHierarchy, type HierarchyNode } from '../shared/hierarchy.ts'
import { xLabel, type SeriesForm } from '../shared/time-series/query.ts'
import { listSeries } from '../shared/time-series/series.ts'
import { hasPeriods, usesTime } from './form.ts'

export interface PartitionForm extends SeriesForm {
  groupby: QueryColumn[]
  time_series_option: string
  partition_limit: number
  partition_threshold: number
  log_scale: boolean
  equal_date_size: boolean
  date_time_format: string
  time_grain_sqla?: string | null
}

/** A rectangle before layout. */
export interface PartitionNode extends HierarchyNode {
  /** Height relative to its siblings. */
  size: number
  /** The part's own value, regardless of `size`; zero for negative values. */
  area: number
  /** Number of negative values in it. */
  negatives: number
  /** Groups the smallest of its siblings. */
  isOthers?: boolean
  /** Value of the first period. */
  since?: number | null
  change?: number | null
  children?: PartitionNode[]
}

interface PruneSettings extends PartitionForm {
  /** True when the values of the parts add up to the value of the whole. */
  adds: boolean
}

interface RawNode extends HierarchyNode {
  since?: number | null
  children?: RawNode[]
}

/** Name of the column that makes a metric the first level. */
const top = ''

/**
 * Builds one partition per metric: periods if the form uses them, then one level per dimension. The smallest parts of each part
 * are grouped, so that the whole is always shown.
 */
export function buildPartitions(frame: Frame, settings: PartitionForm, context: SpecContext): PartitionNode[] {
  return settings.metrics.flatMap((metric) => {
    const rows = settings.time_series_option === 'adv_anal' ? toLongFrame(frame, settings, metric, context) : frame
    const root = buildRoot(rows, settings, metric, context)
    return root ? [{ ...pruneNode(root, 0, { ...settings, adds: isAdditive(metric, context) }, context), size: 1 }] : []
  })
}

/** Marks the name of an incomplete period, whose values are not final. */
export function formatPeriodName(
  name: string,
  index: number | null,
  { time_grain_sqla: grain }: PartitionForm,
  context: SpecContext,
): string {
  if (unfinishedPeriod(index, grain, context.until) === null) return name
  return createTranslator(context)('picture.unfinished', '{period} (incomplete)', { period: name })
}

function buildRoot(
  frame: Frame,
  settings: PartitionForm,
  metric: QueryMetric,
  context: SpecContext,
): RawNode | undefined {
  const label = labelOfMetric(metric)
  const values = findColumn(frame, label)
  if (!values || frame.rows === 0) return undefined
  const times = findColumn(frame, xLabel(settings))
  const head = buildColumn(Array.from({ length: frame.rows }).fill(context.displayName(label)), top)
  const levels = [head, ...(hasPeriods(settings) && times ? [times] : []), ...findColumns(frame, settings.groupby)]
  const { date_time_format: format, time_grain_sqla: grain } = settings
  const nameOf = dimensionFormatter(context, format === 'smart_date' ? grainFormat(grain) : format)
  const adds = isAdditive(metric, context)
  const tree = (column: Column) => buildHierarchy(frame, levels, column, nameOf, adds)[0]
  const mapValues = (of: (value: number | null, row: number) => number | null) =>
    buildColumn(
      Array.from({ length: frame.rows }, (_, row) => of(finiteAt(values, row), row)),
      label,
    )
  switch (settings.time_series_option) {
    case 'agg_mean':
      return mergeTrees(tree(values), tree(mapValues((value) => (value === null ? null : 1))), toMeans)
    case 'point_diff':
    case 'point_percent':
    case 'point_factor': {
      const ends = times && findTimeExtent(times, frame.rows)
      if (!ends) return tree(values)
      const at = (end: number) => tree(mapValues((value, row) => (numberAt(times, row) === end ? value : null)))
      return mergeTrees(at(ends.until), at(ends.since), (last, first) => ({ ...last, since: first.value }))
    }
    default:
      return tree(values)
  }
}

/** Returns the first and the last time of a response. */
export function findTimeExtent(times: Column, rows: number): { since: number; until: number } | null {
  let [since, until] = [Infinity, -Infinity]
  for (let row = 0; row < rows; row++) {
    const time = numberAt(times, row)
    if (time !== null) [since, until] = [Math.min(since, time), Math.max(until, time)]
  }
  return since <= until ? { since, until } : null
}

/** Merges two trees of the same rows, whose parts have the same order. */
function mergeTrees(
  one: HierarchyNode | undefined,
  other: HierarchyNode | undefined,
  join: (one: RawNode, other: HierarchyNode) => RawNode,
): RawNode | undefined {
  if (!one || !other) return undefined
  const children = one.children?.map((child, index) => mergeTrees(child, other.children?.[index], join) as RawNode)
  return join({ ...one, ...(children && { children }) }, other)
}

/** Mean of a part over its periods; an enclosing part has the sum of the means of its parts. */
function toMeans(sum: RawNode, count: HierarchyNode): RawNode {
  const means = sum.children?.flatMap(({ value }) => value ?? [])
  if (sum.combinedSize !== undefined) return sum
  if (!means) return { ...sum, value: sum.value === null || !count.value ? null : sum.value / count.value }
  return { ...sum, value: means.length > 0 ? means.reduce((all, value) => all + value, 0) : null }
}

/** Returns rows of period, dimensions and number from a response with one column per series. */
function toLongFrame(frame: Frame, settings: PartitionForm, metric: QueryMetric, context: SpecContext): Frame {
  const label = labelOfMetric(metric)
  const times = findColumn(frame, xLabel(settings))
  const series = listSeries(frame, settings, context).filter((one) => one.metric === label)
  if (!times) return { rows: 0, columns: [] }
  const places = series.flatMap((one) => Array.from({ length: frame.rows }, (_, row) => ({ one, row })))
  const numbers = new Map(series.map(({ column }) => [column, findColumn(frame, column)]))
  const columns = [
    take(
      times,
      places.map(({ row }) => row),
    ),
    ...settings.groupby.map(labelOfColumn).map((name) =>
      buildColumn(
        places.map(({ one }) => one.key[name] ?? null),
        name,
      ),
    ),
    buildColumn(
      places.map(({ one, row }) => {
        const column = numbers.get(one.column)
        return column ? finiteAt(column, row) : null
      }),
      label,
    ),
  ]
  return { rows: places.length, columns }
}

/** Groups the smallest parts of each part. @param level 0 is the metric */
function pruneNode(node: RawNode, level: number, settings: PruneSettings, context: SpecContext): PartitionNode {
  const { [top]: _, ...key } = node.key as Record<string, Cell>
  const within = node.children?.map((child) => pruneNode(child, level + 1, settings, context))
  const areTimes = level === 0 && hasPeriods(settings)
  const children = within && (areTimes ? periods(within, settings, context) : largest(within, settings, context))
  const sum = (of: (part: PartitionNode) => number) => (children ?? []).reduce((all, part) => all + of(part), 0)
  const area = children ? sum((part) => part.area) : Math.max(0, node.value ?? 0)
  return {
    name: node.name,
    // its periods may not be additive
    value: areTimes ? null : node.value,
    ...(node.combinedSize !== undefined && { combinedSize: area }),
    key,
    area,
    size: children ? sum((part) => part.size) : scaleArea(area, settings),
    negatives: children ? sum((part) => part.negatives) : Number((node.value ?? 0) < 0),
    ...computeChangeFields(node, settings),
    ...(children && { children }),
  }
}

const scaleArea = (area: number, { log_scale }: PartitionForm) => (log_scale ? Math.log10(1 + area) : area)

function computeChangeFields(
  { value, since }: RawNode,
  { time_series_option: option }: PartitionForm,
): Partial<PartitionNode> {
  if (since === undefined) return {}
  const [last, first] = [value ?? 0, since ?? 0]
  if (value === null && since === null) return { since, change: null }
  if (option === 'point_diff') return { since, change: last - first }
  const factor = first === 0 ? null : last / first
  return { since, change: factor === null || option === 'point_factor' ? factor : factor - 1 }
}

/** Sorts periods by time and omits none. */
function periods(parts: readonly PartitionNode[], settings: PartitionForm, context: SpecContext): PartitionNode[] {
  const time = ({ key }: PartitionNode) => Number(key[xLabel(settings)] ?? -Infinity)
  return parts
    .toSorted((a, b) => time(a) - time(b))
    .map((part) => ({
      ...part,
      name: formatPeriodName(part.name, time(part), settings, context),
      ...(settings.equal_date_size && { size: 1 }),
    }))
}

const minShown = 5

/** Sorts parts by size, largest first, and groups those beyond the limit or below the threshold if there are several. */
function largest(parts: readonly PartitionNode[], settings: PruneSettings, context: SpecContext): PartitionNode[] {
  const { partition_limit: limit, partition_threshold: threshold, adds } = settings
  const sorted = parts.toSorted((a, b) => b.area - a.area || (b.value ?? -Infinity) - (a.value ?? -Infinity))
  const whole = sorted.reduce((sum, { area }) => sum + area, 0)
  const isLarge = ({ area }: PartitionNode, index: number) =>
    (limit === 0 || index < limit) && area >= threshold * whole
  // when all parts are small, some are shown anyway
  const count = sorted.filter(isLarge).length || limit || minShown
  const rest = sorted.slice(count)
  if (rest.length < 2) return sorted
  const sum = (of: (part: PartitionNode) => number | null | undefined) =>
    rest.some((part) => typeof of(part) === 'number') ? rest.reduce((all, part) => all + (of(part) ?? 0), 0) : null
  const area = sum((part) => part.area) ?? 0
  const combined: Omit<RawNode, 'children'> = {
    name: createTranslator(context)('picture.partition.others', '{count, plural, one {# other} other {# others}}', {
      count: rest.length,
    }),
    value: adds ? sum((part) => part.value) : null,
    ...(!adds && { combinedSize: area }),
    key: {},
    ...(rest[0]?.since !== undefined && { since: adds ? sum((part) => part.since) : null }),
  }
  const others: PartitionNode = {
    ...combined,
    area,
    size: settings.log_scale ? scaleArea(area, settings) : (sum((part) => part.size) ?? 0),
    negatives: sum((part) => part.negatives) ?? 0,
    isOthers: true,
    ...computeChangeFields(combined, settings),
  }
  return [...sorted.slice(0, count), others]
}

/** Assigns a color to each part of the first dimension, shared by the parts in it; periods and metrics have none. */
export function colorPartitions(
  roots: readonly PartitionNode[],
  settings: PartitionForm,
  context: SpecContext,
): PartitionNode[] {
  if (settings.groupby.length === 0) {
    const color = context.colorsOf([])('')
    return roots.map((root) => ({ ...root, color }))
  }
  const depth = usesTime(settings) && hasPeriods(settings) ? 2 : 1
  const at = (parts: readonly PartitionNode[], level: number): PartitionNode[] =>
    level === 0 ? [...parts] : parts.flatMap(({ children = [] }) => at(children, level - 1))
  const colorOf = context.colorsOf([
    ...new Set(at(roots, depth).flatMap(({ name, isOthers }) => (isOthers ? [] : [name]))),
  ])
  const paint = (parts: readonly PartitionNode[], level: number): PartitionNode[] =>
    parts.map((part) => ({
      ...part,
      ...(level === depth && !part.isOthers && { color: colorOf(part.name) }),
      ...(part.children && level < depth && { children: paint(part.children, level + 1) }),
    }))
  return paint(roots, 0)
}
