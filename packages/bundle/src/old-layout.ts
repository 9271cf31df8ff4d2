type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const chartsPerRow = 3
/** A row has twelve columns. */
const chartWidth = 4
const chartHeight = 50

/**
 * Completes the layout of an old dashboard: each chart gets its UUID, and charts without a place get rows at the end. A list is a
 * layout before version 2, whose charts keep their order, rows and sizes.
 * @param uuids  by the ids of the charts; a UUID in the layout takes precedence
 */
export function layOutCharts(stored: unknown, slices: readonly Fields[], uuids: ReadonlyMap<number, string>): Fields {
  const position = isFields(stored) ? stored : {}
  const layout = structuredClone(isFields(position['ROOT_ID']) ? position : createEmptyLayout())
  const placed = new Set<number>()
  for (const item of Object.values(layout)) {
    const meta = isFields(item) && isFields(item['meta']) ? item['meta'] : undefined
    const id = Number(meta?.['chartId'])
    if (!meta || !uuids.has(id)) continue
    placed.add(id)
    meta['uuid'] ??= uuids.get(id)
  }
  const rest = slices.filter(({ id }) => !placed.has(Number(id)))
  const parent = findRowParent(layout)
  for (const row of listRows(stored, rest)) addRow(layout, parent, row, uuids)
  return layout
}

interface PlacedChart {
  slice: Fields
  width: number
  height: number
}

/** A grid before version 2 has 12 or, later, 48 columns. */
const fineColumns = 48
const columns = 12
/** Units of the height of a chart per row of the grid with 48 columns. */
const heightPerRow = 100 / 4 / 8
const heights = { min: 10, max: 400 }

/** Charts in the rows and sizes of a list of places (`slice_id`, `col`, `row`, `size_x`, `size_y`), then all others, three in a row. */
function listRows(stored: unknown, slices: readonly Fields[]): PlacedChart[][] {
  const places = (Array.isArray(stored) ? stored : []).filter(isFields)
  const byId = new Map(places.map((place) => [Number(place['slice_id']), place]))
  const numberOf = (place: Fields, name: string): number => Number(place[name]) || 0
  const extent = Math.max(0, ...places.map((place) => numberOf(place, 'col') - 1 + numberOf(place, 'size_x')))
  const scale = extent > columns ? 1 : fineColumns / columns
  const rows = new Map<number, { col: number; chart: PlacedChart }[]>()
  const rest: PlacedChart[] = []
  for (const slice of slices) {
    const place = byId.get(Number(slice['id']))
    if (!place) {
      rest.push({ slice, width: chartWidth, height: chartHeight })
      continue
    }
    const width = Math.round((numberOf(place, 'size_x') * scale * columns) / fineColumns) || chartWidth
    const height = Math.round(numberOf(place, 'size_y') * scale * heightPerRow) || chartHeight
    const chart = {
      slice,
      width: Math.min(Math.max(width, 1), columns),
      height: Math.min(Math.max(height, heights.min), heights.max),
    }
    const row = numberOf(place, 'row')
    rows.set(row, [...(rows.get(row) ?? []), { col: numberOf(place, 'col'), chart }])
  }
  const ordered = [...rows].toSorted(([a], [b]) => a - b)
  const placed = ordered.flatMap(([, row]) => fitRow(row.toSorted((a, b) => a.col - b.col).map(({ chart }) => chart)))
  const others = rest.flatMap((_, start) =>
    start % chartsPerRow === 0 ? [rest.slice(start, start + chartsPerRow)] : [],
  )
  return [...placed, ...others]
}

/** Breaks a row that is wider than the grid. */
function fitRow(charts: readonly PlacedChart[]): PlacedChart[][] {
  const rows: PlacedChart[][] = []
  let used = columns
  for (const chart of charts) {
    if (used + chart.width > columns) {
      rows.push([])
      used = 0
    }
    rows.at(-1)!.push(chart)
    used += chart.width
  }
  return rows
}

const createEmptyLayout = (): Fields => ({
  DASHBOARD_VERSION_KEY: 'v2',
  ROOT_ID: { children: ['GRID_ID'], id: 'ROOT_ID', type: 'ROOT' },
  GRID_ID: { children: [], id: 'GRID_ID', parents: ['ROOT_ID'], type: 'GRID' },
})

/** The grid, or the first tab of a dashboard with tabs. */
function findRowParent(layout: Fields): Fields {
  const { ROOT_ID: root } = layout
  let current = root as Fields
  for (let steps = 0; steps < 3; steps += 1) {
    const children = Array.isArray(current['children']) ? (current['children'] as unknown[]) : []
    const next = children
      .map((id) => layout[String(id)])
      .find((item) => isFields(item) && ['GRID', 'TABS', 'TAB'].includes(String(item['type'])))
    if (!isFields(next)) break
    current = next
  }
  return current
}

function addRow(
  layout: Fields,
  parent: Fields,
  charts: readonly PlacedChart[],
  uuids: ReadonlyMap<number, string>,
): void {
  const parents = [...(Array.isArray(parent['parents']) ? (parent['parents'] as unknown[]) : []), parent['id']]
  const rowId = `ROW-${uuids.get(Number(charts[0]?.slice['id']))}`
  const children = charts.map(({ slice: { id, slice_name: sliceName }, width, height }) => {
    const uuid = uuids.get(Number(id))
    const chartId = `CHART-${uuid}`
    const meta = { chartId: Number(id), height, sliceName, uuid, width }
    layout[chartId] = { children: [], id: chartId, meta, parents: [...parents, rowId], type: 'CHART' }
    return chartId
  })
  const meta = { background: 'BACKGROUND_TRANSPARENT' }
  layout[rowId] = { children, id: rowId, meta, parents, type: 'ROW' }
  parent['children'] = [...(Array.isArray(parent['children']) ? (parent['children'] as unknown[]) : []), rowId]
}
