/** A bar in an SVG that ECharts drew, in pixels. */
export interface DrawnBar {
  series: number
  at: number
  left: number
  right: number
  top: number
  bottom: number
}

/** Corners of a path of lines and arcs, with absolute and relative commands as ECharts writes them. */
function listCorners(path: string): [x: number, y: number][] {
  const corners: [number, number][] = []
  let [x, y] = [0, 0]
  for (const [, command = '', text = ''] of path.matchAll(/([MLAlvhVHZ])([^MLAlvhVHZ]*)/g)) {
    const numbers = (text.match(/-?\d*\.?\d+/g) ?? []).map(Number)
    const step = command === 'A' ? 7 : 2
    for (let i = 0; i + step <= numbers.length; i += step) {
      const [dx = 0, dy = 0] = numbers.slice(i + step - 2, i + step)
      ;[x, y] = command === 'l' ? [x + dx, y + dy] : [dx, dy]
      corners.push([x, y])
    }
  }
  return corners
}

/** Returns the bars of an SVG in the order in which they were drawn. */
export function readDrawnBars(svg: string): DrawnBar[] {
  const paths = svg.matchAll(/<path d="([^"]+Z)"[^>]*ecmeta_series_index="(\d+)" ecmeta_data_index="(\d+)"/g)
  return [...paths].map(([, path = '', series, at]) => {
    const corners = listCorners(path)
    const xs = corners.map(([x]) => x)
    const ys = corners.map(([, y]) => y)
    return {
      series: Number(series),
      at: Number(at),
      left: Math.min(...xs),
      right: Math.max(...xs),
      top: Math.min(...ys),
      bottom: Math.max(...ys),
    }
  })
}
