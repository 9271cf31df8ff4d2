import type { ChartRecord } from '../document/read-dashboard.ts'
import { chartNode } from '../layout/arrange.ts'
import type { NewNode } from '../layout/rules.ts'

/** Blocks that the Add panel offers besides charts. Rows are created for their content. */
export const newBlockTypes = ['TABS', 'COLUMN', 'HEADER', 'MARKDOWN', 'DIVIDER'] as const
export type NewBlockType = (typeof newBlockTypes)[number]

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Ten random characters, as in the ids of layouts. */
export const createIdSuffix = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => alphabet[byte % alphabet.length]).join('')

/** DASH-049: a new header has a placeholder text. */
export function createBlock(type: NewBlockType, suffix: string, headerText: string): NewNode {
  const meta = {
    COLUMN: { width: 4, background: 'BACKGROUND_TRANSPARENT' },
    HEADER: { text: headerText, headerSize: 'MEDIUM_HEADER', background: 'BACKGROUND_TRANSPARENT' },
    DIVIDER: {},
    TABS: {},
    MARKDOWN: { width: 4, height: 30, code: '' },
  }[type]
  return { id: `${type}-${suffix}`, type, meta }
}

/** Drag handles of the Add panel encode the node to add: `new:CHART:12`, `new:HEADER`. */
export const newChartHandle = (chartId: number): string => `new:CHART:${chartId}`
export const newBlockHandle = (type: NewBlockType): string => `new:${type}`

/** Creates the node for a handle of the panel; undefined for a node that is already on the dashboard. */
export function createNodeFromHandle(
  handle: string,
  chart: (id: number) => ChartRecord | undefined,
  headerText: string,
): NewNode | undefined {
  const [mark, type, id] = handle.split(':')
  if (mark !== 'new') return undefined
  if (type === 'CHART') {
    const found = chart(Number(id))
    return found && chartNode({ id: found.id, slice_name: found.slice_name }, createIdSuffix())
  }
  const block = newBlockTypes.find((each) => each === type)
  return block && createBlock(block, createIdSuffix(), headerText)
}
