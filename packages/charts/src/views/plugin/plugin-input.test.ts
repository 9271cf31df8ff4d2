import { buildFrame } from '@parquetry/frame'
import { expect, it } from 'vitest'
import { themes } from '../../resolve/theme.ts'
import { buildPluginInput } from './plugin-input.ts'

const plugin = {
  id: 1,
  name: 'Dots',
  key: 'dots',
  bundle_url: '',
  form: ['metric' as const, { name: 'constructor', label: 'Builder', type: 'text' as const }],
}

it('CHART-042: a plugin receives rows by column name, its own settings and the theme', () => {
  const rows = buildFrame({ a: ['x', null], n: [1, 2] })
  const form = { viz_type: 'dots', metric: 'n', slice_id: 7, url_params: { form_data_key: 'secret' } }
  const input = buildPluginInput({ rows }, form, { plugin, theme: themes.dark })
  expect(input.frames).toEqual([
    {
      columns: ['a', 'n'],
      rows: [
        { a: 'x', n: 1 },
        { a: null, n: 2 },
      ],
    },
  ])
  expect(input.formData).toEqual({ viz_type: 'dots', metric: 'n' })
  expect(input.theme).toMatchObject({ mode: 'dark', text: themes.dark.text })
  expect(structuredClone(input)).toEqual(input)
})
