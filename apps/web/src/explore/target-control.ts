import { buildFieldGroups, type AnyChart, type ChartForm } from '@parquetry/charts'

interface TargetControl {
  name: string
  many: boolean
}

const kinds = {
  metric: { many: ['metrics'], one: ['metric'] },
  column: { many: ['columns'], one: ['x-axis', 'column', 'temporal-column'] },
}

/**
 * Finds the setting for a metric or a column: for columns the first empty single slot, else a list; for metrics a list, else a
 * single slot.
 */
export function findTargetControl(
  chart: AnyChart,
  kind: 'metric' | 'column',
  form: ChartForm = {},
): TargetControl | undefined {
  const fields = buildFieldGroups(chart.form, form)
    .flatMap((group) => group.fields)
    .filter(({ visible, control }) => visible && control.group === 'query')
  const single = fields.find(
    ({ control, name }) => kinds[kind].one.includes(control.as ?? '') && form[name] === undefined,
  )
  const list = fields.find(({ control }) => kinds[kind].many.includes(control.as ?? ''))
  if (kind === 'column' && single) return { name: single.name, many: false }
  if (list) return { name: list.name, many: true }
  const any = fields.find(({ control }) => kinds[kind].one.includes(control.as ?? ''))
  return any && { name: any.name, many: false }
}

const toArray = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]

const assignField = (
  form: ChartForm,
  slot: TargetControl | undefined,
  value: string,
): { name: string; value: unknown } => {
  if (!slot) return { name: 'parquetry', value: form['parquetry'] }
  if (!slot.many) return { name: slot.name, value }
  const before = toArray(form[slot.name])
  return { name: slot.name, value: before.includes(value) ? before : [...before, value] }
}

/** Setting and new value after adding a saved metric. */
export const addMetricToControl = (form: ChartForm, slot: TargetControl | undefined, metric: string) =>
  assignField(form, slot, metric)
/** Setting and new value after adding a column: the first empty slot, else the list of dimensions. */
export const addColumnToControl = (form: ChartForm, chart: AnyChart, column: string) =>
  assignField(form, findTargetControl(chart, 'column', form), column)
