import { labelOfColumn } from '@parquetry/model'
import Type, { type Static } from 'typebox'
import { control, defineChart, type ChartForm, type SpecContext } from '../define.ts'
import { unique } from '../query/base-query.ts'
import { findColumn } from '../shared/column.ts'
import { colorScheme, Column, filters, flag, nullable, rowLimit, needsXAxis } from '../shared/controls.ts'
import { dimensionFormatter } from '../shared/items.ts'
import { xLabel } from '../shared/time-series/query.ts'
import { buildEventPaths, type EventStep } from './event-paths.ts'
import type { Frame } from '@parquetry/frame'

const form = Type.Object({
  x_axis: control(Type.Optional(nullable(Column)), {
    label: 'Time column',
    group: 'query',
    as: 'temporal-column',
    required: needsXAxis,
    description: 'When each event happened. Sets the order of events.',
  }),
  all_columns_x: control(Column, {
    label: 'Event',
    group: 'query',
    as: 'column',
    description: 'Name of each event. Events with the same name form one step.',
  }),
  entity: control(Column, {
    label: 'Entity',
    group: 'query',
    as: 'column',
    description: 'What the events belong to, such as a customer, a machine or a flight.',
  }),
  all_columns: control(Type.Array(Column, { default: [] }), {
    label: 'Metadata',
    group: 'query',
    as: 'columns',
    description: 'Additional columns for the data table.',
  }),
  adhoc_filters: filters,
  order_by_entity: control(Type.Boolean({ default: false }), {
    label: 'Order by entity',
    group: 'query',
    description: 'If the row limit is reached, only one entity is missing events.',
  }),
  row_limit: rowLimit(),
  min_leaf_node_event_count: control(Type.Integer({ default: 1, minimum: 1 }), {
    label: 'Minimum leaf node event count',
    group: 'look',
    description: 'Paths with fewer entities are left out.',
    presets: Array.from({ length: 10 }, (_, index) => [index + 1, String(index + 1)] as const),
  }),
  color_scheme: colorScheme,
  show_legend: flag('Show legend', true, {
    description: 'Lists the events. Events turned off in the legend are skipped.',
  }),
})

/** Sequences of events; `events` has one row per event. */
export default defineChart({
  viz_type: 'event_flow',
  name: 'Event Flow',
  category: 'Flow',
  tags: ['Legacy', 'Progressive'],
  description:
    'Shows the sequence of events for many customers or machines as branching paths, and how many reach each step.',
  icon: 'M2.5 3v10M2.5 5.5h4M6.5 3.5v5M6.5 11h4M6.5 10v3M6.5 5h4.5M11 3.5v3M11 5h2.5M10.5 10v2',
  series: ['steps'],
  thumbnail: { fixture: 'weather-of-a-week' },
  behaviors: [],
  form,
  initialSettings: { order_by_entity: true },
  // raw rows at their exact times: within a grain, events would have no order
  baseForms: { events: (settings) => ({ ...settings, query_mode: 'raw', time_grain_sqla: null }) },
  queries: (settings) => {
    const { x_axis, entity, all_columns_x: event, all_columns: more, order_by_entity, row_limit } = settings
    return {
      events: {
        columns: unique([x_axis ?? [], event ?? [], entity ?? [], more].flat(), labelOfColumn),
        ...(!x_axis && { is_timeseries: true }),
        orderby: order_by_entity && entity ? [[entity, true]] : [],
        row_limit,
      },
    }
  },
  spec: ({ events }, settings, context) => {
    const { steps, ...rest } = events
      ? buildEventFlow(events, settings, context)
      : { steps: [], entities: 0, faults: {} }
    const names = [...namesIn(steps)]
    const colorOf = context.colorsOf(names)
    const addColors = (all: readonly EventStep[]): EventStep[] =>
      all.map((step) => ({ ...step, color: colorOf(step.name), children: addColors(step.children) }))
    return {
      ...(settings.show_legend && { legend: {} }),
      tooltip: { trigger: 'item' },
      series: [
        {
          type: 'steps',
          name: settings.entity ? context.displayName(labelOfColumn(settings.entity)) : '',
          ...rest,
          data: addColors(steps),
        },
      ],
    }
  },
})

function buildEventFlow(frame: Frame, settings: Static<typeof form> & ChartForm, context: SpecContext) {
  const { entity, all_columns_x: event, min_leaf_node_event_count: least } = settings
  const columns = {
    entity: entity && findColumn(frame, labelOfColumn(entity)),
    event: event && findColumn(frame, labelOfColumn(event)),
    time: findColumn(frame, xLabel(settings)),
  }
  if (!columns.entity || !columns.event) return { steps: [], entities: 0, faults: {} }
  const { time } = columns
  return buildEventPaths(
    frame,
    { entity: columns.entity, event: columns.event, ...(time?.kind === 'time' && { time }) },
    { least, nameOf: dimensionFormatter(context, 'smart_date') },
  )
}

function namesIn(steps: readonly EventStep[], names = new Set<string>()): Set<string> {
  for (const { name, children } of steps) namesIn(children, names.add(name))
  return names
}
