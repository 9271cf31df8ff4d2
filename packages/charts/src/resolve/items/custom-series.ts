/** A shape as a custom series of ECharts takes it. */
export type GraphicElement = Record<string, unknown>

/** What a picture consists of. */
export interface CustomDrawing {
  /** Of each mark its shapes; none for one that has no place in the picture. */
  marks: readonly (readonly GraphicElement[])[]
  /** What belongs to no mark: neither pointer nor arrow keys meet it. */
  beside: readonly GraphicElement[]
  /** Of each mark, the places of those that stay bright with it under the pointer; without it none steps back. */
  related?: readonly (readonly number[])[]
}

interface Canvas {
  getWidth(): number
  getHeight(): number
}

/**
 * A series whose marks are drawn here, as those of kinds that ECharts does not know; its part is `CustomChart`.
 * @param count of the marks
 * @param draw is called with the size of the canvas itself, again when that changes
 */
export function customSeries(
  name: string,
  count: number,
  draw: (width: number, height: number) => CustomDrawing,
): GraphicElement {
  let last: { width: number; height: number; drawn: CustomDrawing } | null = null
  const drawnIn = (canvas: Canvas): CustomDrawing => {
    const [width, height] = [canvas.getWidth(), canvas.getHeight()]
    if (last?.width !== width || last.height !== height) last = { width, height, drawn: draw(width, height) }
    return last.drawn
  }
  return {
    type: 'custom',
    name,
    coordinateSystem: 'none',
    animation: false,
    data: Array.from({ length: count + 1 }, (_, at) => at),
    renderItem({ dataIndex }: { dataIndex: number }, canvas: Canvas) {
      const { marks, beside, related } = drawnIn(canvas)
      const isMark = dataIndex < count
      const children = [...(isMark ? (marks[dataIndex] ?? []) : beside)]
      const focus = isMark ? related?.[dataIndex] : undefined
      return children.length > 0 ? { type: 'group', silent: !isMark, children, ...(focus && { focus }) } : null
    },
  }
}

interface TextStyle {
  size: number
  fill: string
  font: string
  weight?: number
  align?: 'left' | 'center' | 'right'
  /** The middle of the line when left out. */
  verticalAlign?: 'top' | 'bottom'
}

export const textShape = (x: number, y: number, text: string, look: TextStyle): GraphicElement => ({
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
