import type { Placement } from '@parquetry/ui'

/**
 * CTRL-020: the editor of a control opens beside the panel, so that the other controls stay in sight: from the upper part of
 * the window downwards, from the lower part upwards. Under the control where there is no room beside it.
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

/** The gap to the anchor and the margin of the window. */
const edge = 16
