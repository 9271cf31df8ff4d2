import { recordSchema } from '@parquetry/model'
import Type from 'typebox'
import { control, type ChartForm, type Control } from '../define.ts'
import { bigNumberForm } from '../shared/big-number.ts'
import { choice, filters, flag, Metric, nullable } from '../shared/controls.ts'

const { header_font_size, subheader_font_size, y_axis_format, currency_format } = bigNumberForm
const { control: sizes } = subheader_font_size as unknown as { control: Control }

/** Figures below the number, by the keys under which `column_config` stores their appearance. */
export const figures = ['Previous value', 'Delta', 'Percent change'] as const
export type Figure = (typeof figures)[number]

const shifts = ['1 day ago', '1 week ago', '1 month ago', '1 quarter ago', '1 year ago'] as const

const FigureConfig = Type.Object({
  visible: Type.Optional(Type.Boolean()),
  displayTypeIcon: Type.Optional(Type.Boolean()),
  customColumnName: Type.Optional(Type.String()),
})

export const form = Type.Object({
  metric: control(Metric, { label: 'Metric', group: 'query', as: 'metric' }),
  adhoc_filters: filters,
  time_compare: control(Type.Optional(nullable(Type.String())), {
    label: 'Time shift',
    group: 'query',
    description:
      'Earlier period to compare with, such as 24 hours ago or 52 weeks ago. Requires a time range with a start and an end.',
    presets: [
      ['inherit', 'Inherit range from time filter'],
      ...shifts.map((shift) => [shift, shift] as const),
      ['custom', 'Custom date'],
    ],
  }),
  start_date_offset: control(Type.Optional(nullable(Type.String())), {
    label: 'Shift start date',
    group: 'query',
    as: 'date',
    description: 'Start date of the comparison period, which is as long as the time range.',
    when: ({ time_compare }) => [time_compare].flat()[0] === 'custom',
  }),
  y_axis_format,
  currency_format,
  header_font_size,
  subheader_font_size: control(subheader_font_size, { ...sizes, label: 'Comparison size' }),
  comparison_color_enabled: flag('Add color for positive/negative change', false),
  comparison_color_scheme: control(choice(['Green', 'Red'], 'Green'), {
    label: 'Color scheme for comparison',
    group: 'look',
    options: {
      Green: 'Green for increase, red for decrease',
      Red: 'Red for increase, green for decrease',
    },
    when: ({ comparison_color_enabled }) => comparison_color_enabled === true,
  }),
  column_config: control(recordSchema(FigureConfig, { default: {} }), {
    label: 'Customize columns',
    group: 'look',
    as: 'column-config',
    configures: figures.map((figure) => [figure, figure] as const),
  }),
})

/** Codes that the first release of this type used for its shifts. */
const earlier: Record<string, string> = {
  y: '1 year ago',
  m: '1 month ago',
  w: '1 week ago',
  r: 'inherit',
  c: 'custom',
}

/** Returns the shift in the form that the server accepts, with a date in place of `custom`; null when there is none. */
export function readKpiTimeShift(settings: ChartForm): string | null {
  const offset = settings.time_compare || earlier[String(settings.time_comparison)]
  if (typeof offset !== 'string') return null
  return offset === 'custom' ? (readDate(settings.start_date_offset) ?? readDate(customRange(settings))) : offset
}

const readDate = (text: unknown): string | null =>
  typeof text === 'string' ? (/^\d{4}-\d{2}-\d{2}/.exec(text)?.[0] ?? null) : null

/** The first release stored the custom time as a range, like a filter. */
const customRange = ({ adhoc_custom }: ChartForm): unknown => {
  const [filter] = Array.isArray(adhoc_custom) ? (adhoc_custom as ({ comparator?: unknown } | null)[]) : []
  return filter?.comparator
}
