import type { ChartTheme } from '../theme.ts'

/** Width of the names at the right end of lines. */
export const endLabelWidth = 132

/** They move apart only where nothing is animated. */
export const endLabelOption = ({ text2, font }: ChartTheme) => ({
  animation: false,
  endLabel: {
    show: true,
    formatter: '{a}',
    color: text2,
    fontSize: 11,
    fontFamily: font,
    width: endLabelWidth,
    overflow: 'truncate',
    distance: 6,
  },
  labelLayout: { moveOverlap: 'shiftY' },
})
