/** A shape of an ECharts custom series. */
export type GraphicElement = Record<string, unknown>

/** Content of a custom drawn chart. */
export interface CustomDrawing {
  /** Shapes of each mark; none for a mark that is not in the chart. */
  marks: readonly (readonly GraphicElement[])[]
  /** Shapes without a mark, which pointer and arrow keys ignore. */
  beside: readonly GraphicElement[]
  /** For each mark, the indexes of those that stay highlighted with it under the pointer; by default no mark is dimmed. */
  related?: readonly (readonly number[])[]
}

interface Canvas {
  getWidth(): number
  getHeight(): number
}

/**
 * A series whose marks are drawn here, for series types that ECharts lacks; requires `CustomChart`.
 * @param count number of marks
 * @param draw called with the size of the canvas, and again when it changes
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
    data: Array.from({ length: count + 1 }, (_, index) => index),
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
  /** Defaults to the middle of the line. */
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
