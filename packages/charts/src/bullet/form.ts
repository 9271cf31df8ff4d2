import Type from 'typebox'
import { control } from '../define.ts'
import { colorScheme, currency, filters, Metric, numberFormat } from '../shared/controls.ts'

const list = (label: string, description: string) =>
  control(Type.String({ default: '' }), { label, group: 'look', description })

export const form = Type.Object({
  metric: control(Metric, { label: 'Metric', group: 'query', as: 'metric' }),
  adhoc_filters: filters,
  ranges: list('Ranges', 'Numbers up to which the ground is shaded, with commas between them: 50, 75, 100.'),
  range_labels: list('Range labels', 'Names of the ranges, in their order, with commas between them.'),
  markers: list('Markers', 'Numbers to mark with triangles, with commas between them.'),
  marker_labels: list('Marker labels', 'Names of the markers, in their order, with commas between them.'),
  marker_lines: list('Marker lines', 'Numbers to mark with lines, with commas between them.'),
  marker_line_labels: list('Marker line labels', 'Names of the lines, in their order, with commas between them.'),
  color_scheme: colorScheme,
  number_format: numberFormat('Number format'),
  currency_format: currency,
})
