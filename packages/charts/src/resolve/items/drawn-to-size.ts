import type { Surroundings } from '../surroundings.ts'
import { drawnSeries, type Shape } from './drawn.ts'

export interface DrawnShapes {
  marks: readonly (readonly Shape[])[]
  beside: readonly Shape[]
}
interface Api {
  getWidth(): number
  getHeight(): number
}

/**
 * As `drawnSeries`, for shapes that fill their picture: the size of the surroundings is one in steps, so that these are laid out
 * by the size that ECharts has.
 * @param count of the marks
 */
export function drawnToSize(
  name: string,
  count: number,
  draw: (around: Surroundings) => DrawnShapes,
  around: Surroundings,
): Shape {
  let [drawn, of] = [undefined as DrawnShapes | undefined, '']
  return {
    ...drawnSeries(
      name,
      Array.from({ length: count }, () => []),
      [],
    ),
    renderItem({ dataIndex }: { dataIndex: number }, api: Api) {
      const [width, height] = [api.getWidth(), api.getHeight()]
      if (!drawn || of !== `${width} ${height}`)
        [drawn, of] = [draw({ ...around, width, height }), `${width} ${height}`]
      const shapes = drawn.marks[dataIndex]
      return { type: 'group', ...(!shapes && { silent: true }), children: [...(shapes ?? drawn.beside)] }
    },
  }
}
