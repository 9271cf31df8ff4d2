import Type from 'typebox'
import { control } from '../define.ts'
import { colorScheme, currency, filters, Metric, numberFormat } from '../shared/controls.ts'

const listField = (label: string, description: string) =>
  control(Type.String({ default: '' }), { label, group: 'look', description })

export const form = Type.Object({
  metric: control(Metric, { label: 'Metric', group: 'query', as: 'metric' }),
  adhoc_filters: filters,
  ranges: listField('Ranges', 'Comma-separated upper bounds of the shaded background ranges, such as 50, 75, 100.'),
  range_labels: listField('Range labels', 'Comma-separated names for the ranges, in order.'),
  markers: listField('Markers', 'Comma-separated values to mark with triangles.'),
  marker_labels: listField('Marker labels', 'Comma-separated names for the markers, in order.'),
  marker_lines: listField('Marker lines', 'Comma-separated values to mark with lines.'),
  marker_line_labels: listField('Marker line labels', 'Comma-separated names for the marker lines, in order.'),
  color_scheme: colorScheme,
  number_format: numberFormat('Number format'),
  currency_format: currency,
})
