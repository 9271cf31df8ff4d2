import type { EChartsExtension } from '../family.ts'

/** ECharts says it of its classes, its types do not. */
interface Models {
  getClass(type: string, kind: string): { prototype: object }
}

interface Lines {
  coordinateSystem: { dimensions: string[]; dataToPoint(value: number, dimension: string): number[] }
  getData(): { mapDimension(dimension: string): string; get(dimension: string, at: number): number }
}

/**
 * Where the tooltip of a line stands that was reached without the pointer: on the axis in the middle. Without it ECharts asks the
 * axes for one point of a whole line, which they cannot say, and fails.
 */
export const tooltipPositionExtension = ((registers) => {
  const series = (registers.ComponentModel as unknown as Models).getClass('series', 'parallel')
  Object.assign(series.prototype, {
    getTooltipPosition(this: Lines, at: number) {
      const { coordinateSystem: axes } = this
      const data = this.getData()
      const middle = axes.dimensions[Math.floor(axes.dimensions.length / 2)] ?? ''
      return axes.dataToPoint(data.get(data.mapDimension(middle), at), middle)
    },
  })
}) satisfies EChartsExtension
