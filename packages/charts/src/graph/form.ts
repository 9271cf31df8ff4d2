import Type from 'typebox'
import { control, type ChartForm } from '../define.ts'
import {
  choice,
  colorScheme,
  Column,
  currency,
  filters,
  flag,
  legendPosition,
  Metric,
  nullable,
  numberFormat,
  rowLimit,
} from '../shared/controls.ts'

const category = (label: string) =>
  control(Type.Optional(nullable(Column)), {
    label,
    group: 'query',
    as: 'column',
    description: 'Nodes of one category have one color.',
  })
const layout = 'Layout'
const isForce = (form: ChartForm) => form.layout !== 'circular'
const force = (
  label: string,
  description: string,
  value: { default: number; minimum: number; maximum: number },
  offered: readonly number[],
) =>
  control(Type.Number(value), {
    label,
    group: 'look',
    section: layout,
    description,
    presets: offered.map((each) => [each, each.toLocaleString('en')] as const),
    when: isForce,
  })

export const form = Type.Object({
  source: control(Column, { label: 'Source', group: 'query', as: 'column', description: 'Where a link begins.' }),
  target: control(Column, { label: 'Target', group: 'query', as: 'column', description: 'Where it ends.' }),
  metric: control(Metric, {
    label: 'Metric',
    group: 'query',
    as: 'metric',
    description: 'How wide a link is; a node is as large as all its links.',
  }),
  source_category: category('Source category'),
  target_category: category('Target category'),
  adhoc_filters: filters,
  row_limit: rowLimit(),
  color_scheme: colorScheme,
  show_legend: flag('Show legend', true, { description: 'Of the categories, where there are any.' }),
  legendOrientation: legendPosition,
  number_format: numberFormat('Number format'),
  currency_format: currency,
  layout: control(choice(['force', 'circular'], 'force'), {
    label: 'Graph layout',
    group: 'look',
    section: layout,
    options: { force: 'Force', circular: 'Circular' },
  }),
  edgeSymbol: control(choice(['none,none', 'none,arrow', 'circle,arrow', 'circle,circle'], 'none,arrow'), {
    label: 'Edge symbols',
    group: 'look',
    section: layout,
    options: {
      'none,none': 'None to none',
      'none,arrow': 'None to arrow',
      'circle,arrow': 'Circle to arrow',
      'circle,circle': 'Circle to circle',
    },
  }),
  draggable: flag('Enable node dragging', true, { section: layout, description: 'A node can be pulled elsewhere.' }),
  roam: control(
    Type.Union([Type.Literal(true), Type.Literal('scale'), Type.Literal('move'), Type.Literal(false)], {
      default: true,
    }),
    {
      label: 'Enable graph roaming',
      group: 'look',
      section: layout,
      options: { false: 'Disabled', scale: 'Scale only', move: 'Move only', true: 'Scale and move' },
    },
  ),
  selectedMode: control(
    Type.Union([Type.Literal('single'), Type.Literal('multiple'), Type.Literal(false)], { default: 'single' }),
    {
      label: 'Node select mode',
      group: 'look',
      section: layout,
      options: { single: 'Single', multiple: 'Multiple', false: 'Disabled' },
    },
  ),
  showSymbolThreshold: control(Type.Number({ default: 0, minimum: 0 }), {
    label: 'Label threshold',
    group: 'look',
    section: layout,
    description: 'Nodes with a smaller number have no label.',
  }),
  baseNodeSize: control(Type.Number({ default: 20, minimum: 1, maximum: 100 }), {
    label: 'Node size',
    group: 'look',
    section: layout,
    description: 'In pixels: the largest node is twice as large, the smallest half as large.',
  }),
  baseEdgeWidth: control(Type.Number({ default: 3, minimum: 0.5, maximum: 20 }), {
    label: 'Edge width',
    group: 'look',
    section: layout,
    description: 'In pixels: the widest link is twice as wide, the finest half as wide.',
  }),
  edgeLength: force(
    'Edge length',
    'How long links would be if nothing pushed or pulled.',
    { default: 400, minimum: 100, maximum: 1000 },
    [100, 200, 300, 400, 600, 800, 1000],
  ),
  gravity: force(
    'Gravity',
    'How strongly nodes are pulled to the middle.',
    { default: 0.3, minimum: 0.1, maximum: 1 },
    [0.1, 0.3, 0.5, 0.7, 1],
  ),
  repulsion: force(
    'Repulsion',
    'How strongly nodes push each other away.',
    { default: 1000, minimum: 100, maximum: 3000 },
    [100, 500, 1000, 1500, 2000, 3000],
  ),
  friction: force(
    'Friction',
    'How far nodes go on once they move.',
    { default: 0.2, minimum: 0.1, maximum: 1 },
    [0.1, 0.2, 0.4, 0.6, 0.8, 1],
  ),
})
