import { subjectId } from '@parquetry/model/subject'
import { describe, expect, it } from 'vitest'
import { readDashboard, titleOf, type ChartRecord, type DashboardRecord } from './read-dashboard.ts'
import { resolveDashboardRights, type BootstrapUser } from './rights.ts'
import { changedFields, dashboardSettingsOf } from './settings.ts'
import { certification, layoutFill, buildMetadataBody, buildSaveBody, untitled } from './save-body.ts'

const chart = (id: number): ChartRecord => ({ id, slice_name: `Chart ${id}`, form_data: {} })

const result: DashboardRecord = {
  id: 3,
  dashboard_title: 'Sales',
  changed_on: '2026-11-21T10:00:00',
  json_metadata: JSON.stringify({ color_scheme: 'd3', refresh_frequency: 30, unheard: { of: 1 } }),
  position_json: JSON.stringify({
    DASHBOARD_VERSION_KEY: 'v2',
    ROOT_ID: { type: 'ROOT', children: ['GRID_ID'] },
    GRID_ID: { type: 'GRID', children: [] },
    HEADER_ID: { id: 'HEADER_ID', type: 'HEADER', meta: { text: 'Sales' } },
  }),
}

const titled = (text: string) => {
  const dashboard = readDashboard(result, [])
  const nodes = { ...dashboard.layout.nodes }
  nodes.HEADER_ID = { ...nodes.HEADER_ID!, meta: { text } }
  return { dashboard, layout: { ...dashboard.layout, nodes } }
}

describe('readDashboard', () => {
  it('DASH-003, DASH-029: shows charts that are missing from the layout', () => {
    const { layout } = readDashboard(result, [chart(1), chart(2)])
    expect(layout.nodes['CHART-auto-1']?.meta).toMatchObject({ chartId: 1, sliceName: 'Chart 1', width: 4 })
    expect(layout.nodes.GRID_ID?.children).toHaveLength(1)
  })

  it('regression: the title comes from the dashboard, not from an outdated header node', () => {
    expect(titleOf(readDashboard({ ...result, dashboard_title: 'Sales 2026' }, []))).toBe('Sales 2026')
    expect(titleOf(readDashboard({ ...result, dashboard_title: '' }, []))).toBe('')
    expect(titleOf(readDashboard({ ...result, dashboard_title: undefined }, []))).toBe('Sales')
  })

  it.each([null, undefined, '', 'no json', '[]', 'null'])('opens a dashboard whose documents are %j', (text) => {
    const dashboard = readDashboard({ id: 1, json_metadata: text, position_json: text }, [])
    expect(dashboard.metadata).toEqual({})
    expect(titleOf(dashboard)).toBe('')
  })
})

describe('saving', () => {
  it('DASH-043: sends all metadata keys with the positions, because the server resets missing keys', () => {
    const { dashboard, layout } = titled('Sales weekly')
    const body = buildSaveBody(dashboard, layout)
    expect(body).toMatchObject({ dashboard_title: 'Sales weekly', changed_on: '2026-11-21T10:00:00' })
    const metadata = JSON.parse(body.json_metadata!)
    expect(metadata).toMatchObject({ color_scheme: 'd3', refresh_frequency: 30, unheard: { of: 1 } })
    expect(metadata.positions).toMatchObject({ DASHBOARD_VERSION_KEY: 'v2', GRID_ID: { type: 'GRID' } })
  })

  it('DASH-072: replaces an empty title with a placeholder', () => {
    const { dashboard, layout } = titled('  ')
    expect(buildSaveBody(dashboard, layout).dashboard_title).toBe('[ untitled dashboard ]')
    expect(untitled).toBe('[ untitled dashboard ]')
  })

  it('DASH-071: an overwrite after a conflict omits `changed_on`', () => {
    const { dashboard, layout } = titled('Sales')
    expect(buildSaveBody(dashboard, layout, { overwrite: true })).not.toHaveProperty('changed_on')
  })

  it('saves settings without touching positions', () => {
    const body = buildMetadataBody(readDashboard(result, []), { color_scheme: 'd3' })
    expect(JSON.parse(body.json_metadata!)).toEqual({ color_scheme: 'd3' })
    expect(body.changed_on).toBe('2026-11-21T10:00:00')
  })

  it('DASH-073: keeps certification details only with a certifier', () => {
    expect(certification(' ', 'checked')).toEqual({ certified_by: '', certification_details: '' })
    expect(certification('Ana', 'checked ')).toEqual({ certified_by: 'Ana', certification_details: 'checked' })
  })

  it('DASH-074: measures the layout against the limit', () => {
    const { layout } = titled('x'.repeat(65_535))
    expect(layoutFill(layout)).toBeGreaterThan(1)
    expect(layoutFill(titled('').layout)).toBeLessThan(0.01)
  })
})

describe('dashboardRights', () => {
  const pair = (permission: string, view = 'Superset') => [permission, view] as const
  const user = (...pairs: (readonly [string, string])[]): BootstrapUser => ({
    userId: 5,
    username: 'ana',
    subjects: [subjectId('user', 5), subjectId('role', 2), subjectId('group', 3)],
    roles: { Gamma: pairs },
  })
  const owned = (id: number) => ({ editors: [{ id, label: 'Owner', type: id % 4 }] })
  const mine = owned(subjectId('user', 5))
  const others = owned(subjectId('user', 6))

  it.each([
    ['PERM-008', 'can_save_dash', 'saveAs'],
    ['PERM-009', 'can_share_dashboard', 'share'],
    ['PERM-010', 'can_explore', 'explore'],
    ['PERM-011', 'can_share_chart', 'shareChart'],
    ['PERM-012', 'can_csv', 'csv'],
    ['PERM-013', 'can_slice', 'editChart'],
  ] as const)('%s: %s grants %s', (_, permission, right) => {
    expect(resolveDashboardRights(user(pair(permission)), others)[right]).toBe(true)
    expect(resolveDashboardRights(user(), others)[right]).toBe(false)
  })

  it('allows the export as a bundle with the export permission', () => {
    expect(resolveDashboardRights(user(pair('can_export', 'Dashboard')), others).export).toBe(true)
    expect(resolveDashboardRights(user(), others).export).toBe(false)
  })

  it('PERM-014: an admin may edit any dashboard', () => {
    expect(resolveDashboardRights({ userId: 1, roles: { Admin: [] } }, others).edit).toBe(true)
  })

  it('PERM-015, PERM-016: owners with write permission may edit only their own dashboards', () => {
    const writer = user(pair('can_write', 'Dashboard'))
    expect(resolveDashboardRights(writer, mine).edit).toBe(true)
    expect(resolveDashboardRights(writer, others).edit).toBe(false)
    expect(resolveDashboardRights(user(), mine).edit).toBe(false)
  })

  it('PERM-015: roles and groups of the user may own it too', () => {
    const writer = user(pair('can_write', 'Dashboard'))
    const edits = [subjectId('role', 2), subjectId('group', 3), subjectId('group', 5), subjectId('role', 5)].map(
      (id) => resolveDashboardRights(writer, owned(id)).edit,
    )
    expect(edits).toEqual([true, true, false, false])
  })

  it('PERM-007: allows nothing without a role', () => {
    expect(Object.values(resolveDashboardRights({}, mine))).toEqual(Array.from({ length: 9 }, () => false))
  })
})

it('saves the theme of a dashboard by its id, and only if it was changed', () => {
  const theme = { id: 7, theme_name: 'Forest', json_data: '{}' }
  const before = dashboardSettingsOf(readDashboard(result, [])).fields
  expect(changedFields(before, { ...before, theme }, false)).toEqual({ theme_id: 7 })
  expect(changedFields({ ...before, theme }, { ...before, theme: { ...theme } }, false)).toEqual({})
  expect(changedFields({ ...before, theme }, { ...before, theme: null }, false)).toEqual({ theme_id: null })
})
