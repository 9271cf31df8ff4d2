import type { ResolvedChart } from '../resolve/resolve-spec.ts'

/** A shape of a custom series, as far as tests use it. */
export interface RenderedShape {
  type: string
  rotation: number
  shape: { x: number; y: number; width: number; height: number; r: number; pathData: string }
  style: { text: string; fill: string; stroke?: string; fontSize: number; opacity: number }
  children: RenderedShape[]
}

interface DrawnOption {
  data: number[]
  renderItem(params: { dataIndex: number }, canvas: object): RenderedShape | null
}

/** Returns the shapes of each mark of such a series on a canvas of this size; the last ones belong to no mark. */
export function renderShapes(
  { option }: Pick<ResolvedChart, 'option'>,
  size: { width: number; height: number },
): RenderedShape[][] {
  const [series] = option.series as [DrawnOption]
  const canvas = { getWidth: () => size.width, getHeight: () => size.height }
  return series.data.map((dataIndex) => series.renderItem({ dataIndex }, canvas)?.children ?? [])
}
