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
    description: 'Nodes in the same category have the same color.',
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
    presets: offered.map((each) => [each] as const),
    when: isForce,
  })

export const form = Type.Object({
  source: control(Column, { label: 'Source', group: 'query', as: 'column', description: 'Where the link starts.' }),
  target: control(Column, { label: 'Target', group: 'query', as: 'column', description: 'Where the link ends.' }),
  metric: control(Metric, {
    label: 'Metric',
    group: 'query',
    as: 'metric',
    description: 'Sets the width of each link. The size of a node is the sum of its links.',
  }),
  source_category: category('Source category'),
  target_category: category('Target category'),
  adhoc_filters: filters,
  row_limit: rowLimit(),
  color_scheme: colorScheme,
  show_legend: flag('Show legend', true, { description: 'Lists the categories, if there are any.' }),
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
  draggable: flag('Enable node dragging', true, {
    section: layout,
    description: 'Lets users drag nodes to other positions.',
  }),
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
      label: 'Node selection',
      group: 'look',
      section: layout,
      options: { single: 'Single', multiple: 'Multiple', false: 'Disabled' },
    },
  ),
  showSymbolThreshold: control(Type.Number({ default: 0, minimum: 0 }), {
    label: 'Label threshold',
    group: 'look',
    section: layout,
    description: 'Nodes with a smaller value have no label.',
  }),
  baseNodeSize: control(Type.Number({ default: 20, minimum: 1, maximum: 100 }), {
    label: 'Node size',
    group: 'look',
    section: layout,
    description: 'In pixels. The largest node is twice this size, the smallest half.',
  }),
  baseEdgeWidth: control(Type.Number({ default: 3, minimum: 0.5, maximum: 20 }), {
    label: 'Edge width',
    group: 'look',
    section: layout,
    description: 'In pixels. The widest link is twice this width, the thinnest half.',
  }),
  edgeLength: force(
    'Edge length',
    'Length of links when no other forces act on them.',
    { default: 400, minimum: 100, maximum: 1000 },
    [100, 200, 300, 400, 600, 800, 1000],
  ),
  gravity: force(
    'Gravity',
    'How strongly nodes are pulled toward the center.',
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
    'How far nodes keep moving once in motion.',
    { default: 0.2, minimum: 0.1, maximum: 1 },
    [0.1, 0.2, 0.4, 0.6, 0.8, 1],
  ),
})
