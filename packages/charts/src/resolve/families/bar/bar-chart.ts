import { BarChart } from 'echarts/charts'
import PathProxy, { type PathRebuilder } from 'zrender/lib/core/PathProxy.js'
import type { EChartsExtension } from '../family.ts'

/**
 * ECharts' bars, faster in large mode. ECharts fills thousands of bars as one shape, and without a graphics card a browser compares
 * each row of pixels with all of them: 10,000 bars took 0.7 s. Here each bar is filled on its own.
 */
export const barChart = ((registers) => {
  BarChart(registers)
  const { prototype } = (registers.ChartView as unknown as Views).getClass('bar')
  for (const name of ['render', 'incrementalRender'] as const) {
    const draw = prototype[name]
    prototype[name] = function (...given) {
      draw.apply(this, given)
      this.group.eachChild((shape) => {
        if (shape.type === 'largeBar') shape.path ??= new BarsPath()
      })
    }
  }
}) satisfies EChartsExtension

/** Static API of ECharts' classes that its types omit. */
interface Views {
  getClass(type: string): {
    prototype: Record<'render' | 'incrementalRender', (this: View, ...given: unknown[]) => void>
  }
}
interface View {
  group: { eachChild(visit: (shape: { type: string; path?: PathProxy }) => void): void }
}

/** Path of rectangles that are filled as soon as they are drawn on a canvas. */
class BarsPath extends PathProxy {
  private canvas: CanvasRenderingContext2D | null = null

  override setContext(target: CanvasRenderingContext2D): void {
    this.canvas = isOpaqueCanvas(target) ? target : null
    super.setContext((this.canvas ? null : target) as typeof target)
  }

  override beginPath(): this {
    this.canvas = null
    return super.beginPath()
  }

  override rect(x: number, y: number, width: number, height: number): this {
    this.canvas?.fillRect(x, y, width, height)
    return super.rect(x, y, width, height)
  }

  override toStatic(): void {
    this.canvas = null
    super.toStatic()
  }

  override rebuildPath(target: PathRebuilder, percent: number): void {
    if (!isOpaqueCanvas(target)) return super.rebuildPath(target, percent)
    const { data } = this
    for (let at = 0; at < this.len(); at += 5)
      target.fillRect(data[at + 1] ?? 0, data[at + 2] ?? 0, data[at + 3] ?? 0, data[at + 4] ?? 0)
  }
}

/** Overlapping bars of a translucent color would add up, so they stay one shape. Canvases write only opaque colors with `#`. */
const isOpaqueCanvas = (target: object): target is CanvasRenderingContext2D =>
  'fillRect' in target &&
  (target as CanvasRenderingContext2D).globalAlpha === 1 &&
  String((target as CanvasRenderingContext2D).fillStyle).startsWith('#')
