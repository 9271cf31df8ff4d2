/** A shape as a custom series of ECharts takes it. */
export type Shape = Record<string, unknown>

/**
 * A series whose marks are drawn here, as those of kinds that ECharts does not know; its part is `CustomChart`.
 * @param marks of each mark its shapes; none for one that has no place in the picture
 * @param beside what belongs to no mark: neither pointer nor arrow keys meet it
 */
export const drawnSeries = (name: string, marks: readonly (readonly Shape[])[], beside: readonly Shape[]): Shape => ({
  type: 'custom',
  name,
  coordinateSystem: 'none',
  animation: false,
  data: [...marks.keys(), marks.length],
  renderItem: ({ dataIndex }: { dataIndex: number }) => {
    const shapes = marks[dataIndex]
    return { type: 'group', ...(!shapes && { silent: true }), children: [...(shapes ?? beside)] }
  },
})

interface TextLook {
  size: number
  fill: string
  font: string
  weight?: number
  align?: 'left' | 'center' | 'right'
  /** The middle of the line when left out. */
  verticalAlign?: 'top' | 'bottom'
}

export const textShape = (x: number, y: number, text: string, look: TextLook): Shape => ({
  type: 'text',
  x,
  y,
  silent: true,
  style: {
    text,
    fill: look.fill,
    fontSize: look.size,
    fontWeight: look.weight ?? 400,
    fontFamily: look.font,
    align: look.align ?? 'left',
    verticalAlign: look.verticalAlign ?? 'middle',
  },
})
