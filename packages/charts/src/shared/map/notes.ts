import type { Translate } from '../../resolve/text.ts'
import type { MapSpec } from './layers.ts'
import type { Drawable } from './marks/kinds.ts'

/** Returns the notes below the map: rows without a location, and ignored settings. */
export const listMapFootnotes = ({ notes }: MapSpec, { rowsWithoutLocation }: Drawable, say: Translate): string[] => [
  ...(rowsWithoutLocation > 0
    ? [
        say(
          'picture.map.left',
          '{count, plural, one {# row is} other {# rows are}} not shown: no valid location or no value.',
          { count: rowsWithoutLocation },
        ),
      ]
    : []),
  ...notes,
]

/** Describes the number and kinds of marks. */
export function describeMap({ layers }: MapSpec, { marks }: Drawable, say: Translate): string {
  const count = marks.reduce(
    (sum, each) =>
      sum +
      (each.kind === 'areas'
        ? each.areas.length
        : each.kind === 'lines'
          ? each.lines.length
          : each.kind === 'arcs'
            ? each.colorIndexes.length
            : each.positions.length / 2),
    0,
  )
  return layers.length > 1
    ? say(
        'picture.describe.layerss',
        'Map with {layers, plural, one {# layer} other {# layers}} and {count, plural, one {# mark} other {# marks}}.',
        { layers: layers.length, count },
      )
    : say('picture.describe.layers', 'Map with {count, plural, one {# mark} other {# marks}}.', { count })
}
