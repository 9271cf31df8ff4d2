import type { RenderContext } from '../render-context.ts'

/** Largest width of the names at the right end of lines; longer names end with an ellipsis. */
export const endLabelWidth = ({ width }: RenderContext): number => Math.min(132, width * 0.25)

/** Labels only move apart if animation is off. */
export const endLabelOption = (around: RenderContext) => ({
  animation: false,
  endLabel: {
    show: true,
    formatter: '{a}',
    color: around.theme.text2,
    fontSize: 11,
    fontFamily: around.theme.font,
    // readable over other lines if its own line ends before them
    textBorderColor: around.theme.surface,
    textBorderWidth: 2,
    width: endLabelWidth(around),
    overflow: 'truncate',
    distance: 6,
  },
  labelLayout: { moveOverlap: 'shiftY' },
})
