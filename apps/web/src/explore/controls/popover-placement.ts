import type { Placement } from '@parquetry/ui'

/**
 * CTRL-020: places the editor of a control beside the panel, so that the other controls stay visible: downward in the upper part
 * of the window, upward in the lower part, and below the control when there is no space beside it.
 */
export function choosePopoverPlacement(
  anchor: Pick<DOMRect, 'top' | 'right'>,
  width: number,
  view: { width: number; height: number },
): Placement {
  if (anchor.right + width + edge > view.width) return 'bottom-start'
  const ratio = anchor.top / view.height
  return ratio < 0.35 ? 'right-start' : ratio > 0.65 ? 'right-end' : 'right'
}

/** Gap to the anchor and margin of the window, in pixels. */
const edge = 16
