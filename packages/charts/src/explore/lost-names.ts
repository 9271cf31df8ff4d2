import type { DatasetObject, LostName } from '@parquetry/model'
import type { AnyChart, ChartForm } from '../define.ts'
import { fieldsUsed, namesIn, type Renames } from './fields-used.ts'

type Names = {
  columns: readonly Pick<DatasetObject['columns'][number], 'column_name'>[]
  metrics: readonly Pick<DatasetObject['metrics'][number], 'metric_name'>[]
}

/** Whether a form may name what its dataset does not have; a label of a metric may be taken for such a name. */
export function mayNameLost(chart: AnyChart | undefined, form: ChartForm, { columns, metrics }: Names): boolean {
  const known = new Set([
    ...columns.map(({ column_name }) => column_name),
    ...metrics.map(({ metric_name }) => metric_name),
  ])
  return [...namesIn(chart, form)].some((name) => !known.has(name))
}

const namesOf = (lost: readonly LostName[], kind: LostName['kind']): LostName[] =>
  lost.filter((each) => each.kind === kind)

/** The names of a kind that are gone. */
export const lostNames = (lost: readonly LostName[], kind: LostName['kind']): Set<string> =>
  new Set(namesOf(lost, kind).map(({ name }) => name))

/** Those of the lost names that a form still uses. */
export function lostIn(chart: AnyChart | undefined, form: ChartForm, lost: readonly LostName[]): LostName[] {
  const known = { columns: lostNames(lost, 'column'), metrics: lostNames(lost, 'metric') }
  const { columns, metrics } = fieldsUsed(chart, form, known)
  return lost.filter(({ kind, name }) => (kind === 'column' ? columns : metrics).includes(name))
}

/** What of the lost names has a new one. */
export function renamesOf(lost: readonly LostName[]): Renames {
  const of = (kind: LostName['kind']) =>
    new Map(namesOf(lost, kind).flatMap(({ name, now }): [string, string][] => (now === null ? [] : [[name, now]])))
  return { columns: of('column'), metrics: of('metric') }
}
