type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const chartsPerRow = 3
/** A row has twelve columns. */
const chartWidth = 4
const chartHeight = 50

/**
 * Completes the layout of an old dashboard: each chart gets its UUID, and charts without a place, or all of them for layouts before
 * version 2, get rows at the end.
 * @param uuids  by the ids of the charts; a UUID in the layout takes precedence
 */
export function layOutCharts(position: Fields, slices: readonly Fields[], uuids: ReadonlyMap<number, string>): Fields {
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
  for (let start = 0; start < rest.length; start += chartsPerRow)
    addRow(layout, parent, rest.slice(start, start + chartsPerRow), uuids)
  return layout
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

function addRow(layout: Fields, parent: Fields, slices: readonly Fields[], uuids: ReadonlyMap<number, string>): void {
  const parents = [...(Array.isArray(parent['parents']) ? (parent['parents'] as unknown[]) : []), parent['id']]
  const rowId = `ROW-${uuids.get(Number(slices[0]?.['id']))}`
  const children = slices.map(({ id, slice_name: sliceName }) => {
    const uuid = uuids.get(Number(id))
    const chartId = `CHART-${uuid}`
    const meta = { chartId: Number(id), height: chartHeight, sliceName, uuid, width: chartWidth }
    layout[chartId] = { children: [], id: chartId, meta, parents: [...parents, rowId], type: 'CHART' }
    return chartId
  })
  const meta = { background: 'BACKGROUND_TRANSPARENT' }
  layout[rowId] = { children, id: rowId, meta, parents, type: 'ROW' }
  parent['children'] = [...(Array.isArray(parent['children']) ? (parent['children'] as unknown[]) : []), rowId]
}
