import type { ChartTheme } from '../theme.ts'

/** Width of the names at the right end of lines. */
export const endLabelWidth = 132

/** Labels only move apart if animation is off. */
export const endLabelOption = ({ text2, font, surface }: ChartTheme) => ({
  animation: false,
  endLabel: {
    show: true,
    formatter: '{a}',
    color: text2,
    fontSize: 11,
    fontFamily: font,
    // readable over other lines if its own line ends before them
    textBorderColor: surface,
    textBorderWidth: 2,
    width: endLabelWidth,
    overflow: 'truncate',
    distance: 6,
  },
  labelLayout: { moveOverlap: 'shiftY' },
})
