import type { Items } from '../../items/items-family.ts'
import type { HierarchyItem } from '../../levels/marks.ts'
import { othersColor } from '../../paint.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'

/** Counts of problems in the rows, by kind; `root` is the requested root that does not exist. */
type Faults = Partial<Record<'circles' | 'orphans' | 'repeated' | 'nameless' | 'deep', number>> & { root?: string }

export interface TreeNode extends HierarchyItem {
  /** Level; 0 at the top. */
  depth: number
  /** Number of descendants. */
  below: number
}

export interface TreeMarks extends Items<TreeNode> {
  faults: Faults
  /** There are several top nodes, so ECharts gets an additional invisible root above them. */
  isForest: boolean
}

/** Reads the nodes in the order of the spec: each before its children. */
export function readTree({ name = '', color = othersColor, data = [], faults = {} }: SpecSeries): TreeMarks {
  const items = data.map((item): TreeNode => {
    const parent = typeof item.parent === 'number' ? item.parent : null
    return { ...item, color, parent, isLeaf: true, depth: 0, below: 0 }
  })
  for (const item of items) {
    const above = item.parent === null ? undefined : items[item.parent]
    if (!above) continue
    above.isLeaf = false
    item.depth = above.depth + 1
  }
  for (const { parent, below } of items.toReversed()) {
    const above = parent === null ? undefined : items[parent]
    if (above) above.below += below + 1
  }
  const tops = items.filter(({ parent }) => parent === null).length
  return { name, color, items, faults: faults as Faults, isForest: tops > 1 }
}

/** Sentences about rows that could not be drawn; empty if there are none. */
export function describeTreeFaults({ faults }: TreeMarks, { translate }: RenderContext): string {
  const { circles, orphans, repeated, nameless, deep, root } = faults
  return [
    root !== undefined &&
      translate('picture.tree.root', 'Node {root} was not found. All nodes are shown.', {
        root: root.length > 40 ? `${root.slice(0, 40)}…` : root,
      }),
    circles &&
      translate(
        'picture.tree.circles',
        '{count, plural, one {# link forms a cycle and is not shown.} other {# links form a cycle and are not shown.}}',
        { count: circles },
      ),
    orphans &&
      translate(
        'picture.tree.orphans',
        '{count, plural, one {# node is at the top level because its parent is not in the data.} other {# nodes are at the top level because their parents are not in the data.}}',
        { count: orphans },
      ),
    repeated &&
      translate(
        'picture.tree.repeated',
        '{count, plural, one {# row has a duplicate ID and is not shown.} other {# rows have duplicate IDs and are not shown.}}',
        { count: repeated },
      ),
    nameless &&
      translate(
        'picture.tree.nameless',
        '{count, plural, one {# row has no ID and is not shown.} other {# rows have no ID and are not shown.}}',
        { count: nameless },
      ),
    deep &&
      translate(
        'picture.tree.deep',
        '{count, plural, one {# node is nested too deeply and is not shown.} other {# nodes are nested too deeply and are not shown.}}',
        { count: deep },
      ),
  ]
    .filter(Boolean)
    .join(' ')
}
