import { DataZoomSliderComponent, GridComponent } from 'echarts/components'
import { init, setPlatformAPI, use } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { SVGRenderer } from 'echarts/renderers'
import type { ResolvedChart } from '../resolve/resolve-spec.ts'
import type { RenderContext } from '../resolve/render-context.ts'
import '../shared/safe-widths.ts'
import { textWidth } from '../shared/text-width.ts'
import { sanitizeNodes, type SvgNode } from './sanitize-nodes.ts'

use([GridComponent, DataZoomSliderComponent, LabelLayout, SVGRenderer])

setPlatformAPI({
  measureText: (text, font = '12px') => ({
    width: textWidth(text, Number.parseFloat(/([\d.]+)px/.exec(font)?.[1] ?? '12')),
  }),
})

/** Renders an option as SVG. An instance that is not disposed keeps Node alive forever, even with `animation: false`. */
export function renderSvg(
  { option, parts }: Pick<ResolvedChart, 'option' | 'parts'>,
  { width, height }: Pick<RenderContext, 'width' | 'height'>,
): string {
  const { tooltip: _, ...still } = option
  use([...parts])
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    const painter = chart.getZr().painter as unknown as { renderToVNode(options: object): SvgNode }
    const nodesOf = painter.renderToVNode.bind(painter)
    painter.renderToVNode = (options) => sanitizeNodes(nodesOf(options))
    chart.setOption({ ...still, animation: false })
    return shortenPaths(chart.renderToSVGString())
  } finally {
    chart.dispose()
  }
}

/**
 * Rounds path coordinates to tenths of a pixel, because the remaining digits make up half of the file. Points are stretched
 * circles of radius 1, so small numbers keep more digits.
 */
const shortenPaths = (svg: string) =>
  svg.replaceAll(/ d="[^"]*"/g, (path) =>
    path.replaceAll(/\d+\.\d+/g, (number) => {
      const digits = Number(number) < 2 ? 10_000 : 10
      return String(Math.round(Number(number) * digits) / digits)
    }),
  )
