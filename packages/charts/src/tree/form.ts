import Type from 'typebox'
import { control, type ChartForm } from '../define.ts'
import { choice, Column, filters, Metric, nullable, numberFormat, rowLimit } from '../shared/controls.ts'

const isOrthogonal = (form: ChartForm) => form.layout !== 'radial'

const labelPosition = (byDefault: 'left' | 'bottom', label: string, description: string) =>
  control(choice(['left', 'top', 'right', 'bottom'], byDefault), {
    label,
    group: 'look',
    options: { left: 'Left', top: 'Top', right: 'Right', bottom: 'Bottom' },
    description,
    when: isOrthogonal,
  })

export const form = Type.Object({
  id: control(Column, { label: 'ID', group: 'query', as: 'column', description: 'Identifies each node.' }),
  parent: control(Column, {
    label: 'Parent',
    group: 'query',
    as: 'column',
    description: 'ID of the parent node. Empty for nodes at the top.',
  }),
  name: control(Type.Optional(nullable(Column)), {
    label: 'Name',
    group: 'query',
    as: 'column',
    description: 'Name shown for each node. Leave empty to use the ID.',
  }),
  root_node_id: control(Type.Optional(nullable(Type.String())), {
    label: 'Root node ID',
    group: 'query',
    description: 'Shows only this node and its descendants.',
  }),
  metric: control(Type.Optional(nullable(Metric)), {
    label: 'Metric',
    group: 'query',
    as: 'metric',
    description: 'Shown in the tooltip of each node.',
  }),
  adhoc_filters: filters,
  row_limit: rowLimit(),
  layout: control(choice(['orthogonal', 'radial'], 'orthogonal'), {
    label: 'Tree layout',
    group: 'look',
    options: { orthogonal: 'Orthogonal', radial: 'Radial' },
  }),
  orient: control(choice(['LR', 'RL', 'TB', 'BT'], 'LR'), {
    label: 'Tree orientation',
    group: 'look',
    options: { LR: 'Left to right', RL: 'Right to left', TB: 'Top to bottom', BT: 'Bottom to top' },
    when: isOrthogonal,
  }),
  node_label_position: labelPosition('left', 'Node label position', 'Applies to nodes with children.'),
  child_label_position: labelPosition('bottom', 'Child label position', 'Applies to nodes without children.'),
  emphasis: control(choice(['ancestor', 'descendant'], 'descendant'), {
    label: 'Emphasis',
    group: 'look',
    options: { ancestor: 'Ancestor', descendant: 'Descendant' },
    description: 'Which related nodes stay highlighted when you point to a node.',
  }),
  symbol: control(
    choice(['emptyCircle', 'circle', 'rect', 'triangle', 'diamond', 'pin', 'arrow', 'none'], 'emptyCircle'),
    {
      label: 'Symbol',
      group: 'look',
      options: {
        emptyCircle: 'Empty circle',
        circle: 'Circle',
        rect: 'Rectangle',
        triangle: 'Triangle',
        diamond: 'Diamond',
        pin: 'Pin',
        arrow: 'Arrow',
        none: 'None',
      },
    },
  ),
  symbolSize: control(Type.Number({ default: 7, minimum: 0, maximum: 60 }), { label: 'Symbol size', group: 'look' }),
  roam: control(
    Type.Union([Type.Literal(true), Type.Literal('scale'), Type.Literal('move'), Type.Literal(false)], {
      default: true,
    }),
    {
      label: 'Enable graph roaming',
      group: 'look',
      options: { false: 'Disabled', scale: 'Scale only', move: 'Move only', true: 'Scale and move' },
    },
  ),
  number_format: numberFormat('Number format'),
})
