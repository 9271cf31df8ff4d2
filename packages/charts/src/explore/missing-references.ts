import type { DatasetObject, MissingReference } from '@parquetry/model'
import type { AnyChart, ChartForm } from '../define.ts'
import { fieldsUsed, collectNames, type Renames } from './fields-used.ts'

type Names = {
  columns: readonly Pick<DatasetObject['columns'][number], 'column_name'>[]
  metrics: readonly Pick<DatasetObject['metrics'][number], 'metric_name'>[]
}

/** Returns whether a form may use names that its dataset does not have; metric labels can be false positives. */
export function canHaveMissingReferences(
  chart: AnyChart | undefined,
  form: ChartForm,
  { columns, metrics }: Names,
): boolean {
  const known = new Set([
    ...columns.map(({ column_name }) => column_name),
    ...metrics.map(({ metric_name }) => metric_name),
  ])
  return [...collectNames(chart, form)].some((name) => !known.has(name))
}

const filterByKind = (missing: readonly MissingReference[], kind: MissingReference['kind']): MissingReference[] =>
  missing.filter((each) => each.kind === kind)

/** Missing names of one kind. */
export const listMissingNames = (missing: readonly MissingReference[], kind: MissingReference['kind']): Set<string> =>
  new Set(filterByKind(missing, kind).map(({ name }) => name))

/** Returns the missing references that a form still uses. */
export function findMissingReferences(
  chart: AnyChart | undefined,
  form: ChartForm,
  missing: readonly MissingReference[],
): MissingReference[] {
  const known = { columns: listMissingNames(missing, 'column'), metrics: listMissingNames(missing, 'metric') }
  const { columns, metrics } = fieldsUsed(chart, form, known)
  return missing.filter(({ kind, name }) => (kind === 'column' ? columns : metrics).includes(name))
}

/** Renames of the missing references that have a new name. */
export function toRenames(missing: readonly MissingReference[]): Renames {
  const of = (kind: MissingReference['kind']) =>
    new Map(
      filterByKind(missing, kind).flatMap(({ name, now }): [string, string][] => (now === null ? [] : [[name, now]])),
    )
  return { columns: of('column'), metrics: of('metric') }
}
