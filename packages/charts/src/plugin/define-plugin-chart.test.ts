import type { DynamicPlugin } from '@parquetry/model'
import { expect, it } from 'vitest'
import { buildFieldGroups } from '../field-groups.ts'
import { namedQueries, resolveForm } from '../query/build-query-context.ts'
import { chartEntry, loadChart, pluginEntries, registerPlugins } from '../registry.ts'
import { definePluginChart } from './define-plugin-chart.ts'

const plugin: DynamicPlugin = {
  id: 1,
  name: 'Dots',
  key: 'dots',
  bundle_url: '/dynamic-plugins/api/bundle/1/a.js',
  form: [
    'groupby',
    'metric',
    'row_limit',
    { name: 'size', label: 'Size', type: 'number', default: 3 },
    { name: 'shape', label: 'Shape', type: 'select', choices: ['round', 'square'], default: 'square' },
    { name: 'filled', label: 'Filled', type: 'checkbox', default: 'yes' },
  ],
}
const chart = definePluginChart(plugin)

it('CHART-040: a plugin queries what its settings name, with filters', () => {
  const form = { viz_type: 'dots', groupby: ['a'], metric: 'count', row_limit: 5, metrics: ['foreign'] }
  const filtered = { ...form, extra_form_data: { filters: [{ col: 'b', op: 'IN', val: [1] }] } }
  expect(namedQueries(chart, filtered)['rows']).toMatchObject({
    columns: ['a'],
    metrics: ['count'],
    row_limit: 5,
    filters: [{ col: 'b', op: 'IN', val: [1], isExtra: true }],
  })
})

it('has a control for each of its settings, with a default of the right type', () => {
  const fields = buildFieldGroups(chart.form).flatMap((group) => group.fields)
  expect(fields.map(({ name }) => name)).toEqual([
    'groupby',
    'metric',
    'row_limit',
    'adhoc_filters',
    'size',
    'shape',
    'filled',
  ])
  expect(resolveForm(chart, { viz_type: 'dots', size: 'large' })).toMatchObject({
    size: 3,
    shape: 'square',
    filled: false,
  })
})

it('is a chart type among the others, but never replaces one', async () => {
  registerPlugins([plugin, { ...plugin, key: 'pie', name: 'Not a pie' }])
  expect(chartEntry('dots')).toMatchObject({ name: 'Dots', plugin })
  expect((await loadChart('dots'))?.name).toBe('Dots')
  expect(chartEntry('pie')?.plugin).toBeUndefined()
  expect(pluginEntries.map(({ viz_type }) => viz_type)).toEqual(['dots'])
})
