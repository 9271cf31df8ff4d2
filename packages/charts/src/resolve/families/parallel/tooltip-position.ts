import type { EChartsExtension } from '../family.ts'

/** Static API of ECharts' classes that its types omit. */
interface Models {
  getClass(type: string, kind: string): { prototype: object }
}

interface Lines {
  coordinateSystem: { dimensions: string[]; dataToPoint(value: number, dimension: string): number[] }
  getData(): { mapDimension(dimension: string): string; get(dimension: string, index: number): number }
}

/**
 * Defines the position of a line's tooltip when it is reached without the pointer: on the middle axis. Without it ECharts
 * requests one point for a whole line from the axes and fails.
 */
export const tooltipPositionExtension = ((registers) => {
  const series = (registers.ComponentModel as unknown as Models).getClass('series', 'parallel')
  Object.assign(series.prototype, {
    getTooltipPosition(this: Lines, index: number) {
      const { coordinateSystem: axes } = this
      const data = this.getData()
      const middle = axes.dimensions[Math.floor(axes.dimensions.length / 2)] ?? ''
      return axes.dataToPoint(data.get(data.mapDimension(middle), index), middle)
    },
  })
}) satisfies EChartsExtension
