import { describe, expect, it } from 'vitest'
import scatter from '../../deck-scatter/chart.ts'
import arc from '../../deck-arc/chart.ts'
import geojson from '../../deck-geojson/chart.ts'
import grid from '../../deck-grid/chart.ts'
import hex from '../../deck-hex/chart.ts'
import mapbox from '../../mapbox/chart.ts'
import path from '../../deck-path/chart.ts'
import polygon from '../../deck-polygon/chart.ts'
import type { AnyChart } from '../../define.ts'
import { drawChart } from '../../draw/index.ts'
import { validateValue } from '../../validate-value.ts'
import { buildSpecContext } from '../../spec-context.ts'
import { namedQueries } from '../../query/build-query-context.ts'
import { applyDefaults } from '../../read-form.ts'
import { themes } from '../../resolve/theme.ts'
import { englishTranslator } from '../../resolve/text.ts'
import { toFrames, type FixtureColumn } from '../../testing/frames.ts'
import { buildHostileFrames } from '../../testing/hostile-frames.ts'
import { aggregateValues } from './bins.ts'
import { fitViewport, isWholeWorld, createProjection } from './camera.ts'
import { cellAlpha, cellSteps } from './paint.ts'
import { clusterer } from './clusters.ts'
import { Spatial } from './controls.ts'
import { loadBaseMap } from './base-map.ts'
import { binAggregates, type CellsLayer, type ClustersLayer, type MapSpec } from './layers.ts'
import { buildMarks } from './marks/build-marks.ts'
import type { ArcMarks, AreaMarks, LineMarks, PointMarks, WeightedMarks } from './marks/kinds.ts'
import { buildMapLegend } from './legend.ts'
import { listMapFootnotes } from './notes.ts'
import { decodePolyline, decodeGeohash } from './location.ts'
import { nestRings, splitRings } from './rings.ts'

const latlong = { type: 'latlong', lonCol: 'lon', latCol: 'lat' }

function drawn(chart: AnyChart, form: object, columns: Record<string, FixtureColumn['values']>, hidden?: Set<string>) {
  const frames = toFrames({ rows: Object.entries(columns).map(([name, values]) => ({ name, values })) })
  const settled = applyDefaults(chart.form, form as Record<string, unknown>)
  const spec = chart.spec(frames, settled, buildSpecContext(settled)) as MapSpec
  return { spec, frames, ...buildMarks(spec, frames, hidden) }
}
const roundedPositions = ({ marks }: ReturnType<typeof drawn>) =>
  (marks as PointMarks[]).flatMap(({ positions }) => [...positions].map((value) => Math.round(value * 100) / 100))

describe('CTRL-113: location of a row', () => {
  it('is read from two columns, also as text and in reverse order', () => {
    expect(roundedPositions(drawn(scatter, { spatial: latlong }, { lon: ['10', '20'], lat: [50, 60] }))).toEqual([
      10, 50, 20, 60,
    ])
    expect(
      roundedPositions(drawn(scatter, { spatial: { ...latlong, reverseCheckbox: true } }, { lon: [50], lat: [10] })),
    ).toEqual([10, 50])
  })
  it('is read from one column with a delimiter, longitude first unless reversed', () => {
    const spatial = { type: 'delimited', lonlatCol: 'at', delimiter: ';' }
    expect(roundedPositions(drawn(scatter, { spatial }, { at: ['10; 50'] }))).toEqual([10, 50])
    expect(
      roundedPositions(drawn(scatter, { spatial: { ...spatial, reverseCheckbox: true } }, { at: ['50;10'] })),
    ).toEqual([10, 50])
  })
  it('is the center of a geohash', () => {
    expect(
      roundedPositions(drawn(scatter, { spatial: { type: 'geohash', geohashCol: 'at' } }, { at: ['ezs42'] })),
    ).toEqual([-5.6, 42.6])
    expect(decodeGeohash('ufo!')).toBeNull()
    expect(decodeGeohash('')).toBeNull()
  })
  it('CTRL-035 to CTRL-037: is invalid without its columns', () => {
    expect(validateValue(Spatial, latlong)).toBeNull()
    expect(validateValue(Spatial, { type: 'latlong', latCol: 'lat' })).not.toBeNull()
    expect(validateValue(Spatial, { type: 'latlong', latCol: 'lat', lonCol: '' })).not.toBeNull()
    expect(validateValue(Spatial, { type: 'delimited', lonlatCol: 'at' })).not.toBeNull()
    expect(validateValue(Spatial, { type: 'delimited', delimiter: ',' })).not.toBeNull()
    expect(validateValue(Spatial, { type: 'delimited', delimiter: ',', lonlatCol: 'at' })).toBeNull()
    expect(validateValue(Spatial, { type: 'geohash' })).not.toBeNull()
  })
  it('is skipped, counted and reported when outside the globe, null or not a number', () => {
    const found = drawn(scatter, { spatial: latlong }, { lon: [1, 181, null, 'x', 5], lat: [1, 1, 1, 1, -91] })
    expect(roundedPositions(found)).toEqual([1, 1])
    expect(listMapFootnotes(found.spec, found, englishTranslator)[0]).toMatch(/^4 rows are not shown/)
  })
})

describe('query', () => {
  const question = (chart: AnyChart, form: object) =>
    Object.values(namedQueries(chart, { viz_type: chart.viz_type, ...form }))[0]
  it('has one row per location, at the row limit those with the largest metric, and excludes null locations', () => {
    const query = question(scatter, { spatial: latlong, dimension: 'kind', row_limit: 9 })
    expect(query).toMatchObject({ columns: ['lon', 'lat', 'kind'], metrics: [], orderby: [], row_limit: 9 })
    expect(query?.filters).toEqual([
      { col: 'lon', op: 'IS NOT NULL' },
      { col: 'lat', op: 'IS NOT NULL' },
    ])
    expect(question(scatter, { spatial: latlong, filter_nulls: false })?.filters).toEqual([])
    const sized = { spatial: latlong, point_radius_fixed: { type: 'metric', value: 'count' } }
    expect(question(scatter, sized)).toMatchObject({ metrics: ['count'], orderby: [['count', false]] })
  })
  it('has the columns of lines, shapes and both ends of arcs', () => {
    expect(question(path, { line_column: 'way', js_columns: ['name'] })?.columns).toEqual(['way', 'name'])
    expect(question(geojson, { geojson: 'shape' })?.columns).toEqual(['shape'])
    const ends = { start_spatial: latlong, end_spatial: { type: 'geohash', geohashCol: 'to' } }
    expect(question(arc, ends)?.columns).toEqual(['lon', 'lat', 'to'])
  })
})

describe('points', () => {
  it('CTRL-103, CTRL-105: have a fixed size or that of a metric, by default 100', () => {
    const radii = (form: object) =>
      (
        drawn(scatter, { spatial: latlong, point_unit: 'radius_km', ...form }, { lon: [1], lat: [1], m: [7] })
          .marks[0] as PointMarks
      ).radii[0]
    expect(radii({ point_radius_fixed: { type: 'fix', value: 3 } })).toBe(3000)
    expect(radii({ point_radius_fixed: { type: 'metric', value: 'm' } })).toBe(7000)
    expect(radii({ point_radius_fixed: { type: 'fix', value: '' } })).toBe(100_000)
    expect(radii({ point_radius_fixed: { type: 'fix', value: 3 }, point_unit: 'square_m' })).toBeCloseTo(0.977, 2)
  })
  it('have a color per label, and are removed when the legend hides it', () => {
    const columns = { lon: [1, 2, 3], lat: [1, 2, 3], kind: ['a', 'b', 'a'] }
    const form = { spatial: latlong, dimension: 'kind' }
    expect([...(drawn(scatter, form, columns).marks[0] as PointMarks).colorIndexes]).toEqual([0, 1, 0])
    expect(roundedPositions(drawn(scatter, form, columns, new Set(['a'])))).toEqual([2, 2])
  })
})

describe('shapes across the date line', () => {
  it('follow the shorter route: an arc, a path', () => {
    const ends = { start_spatial: latlong, end_spatial: { type: 'latlong', lonCol: 'x', latCol: 'y' } }
    const [arcs] = drawn(arc, ends, { lon: [170], lat: [0], x: [-170], y: [0] }).marks as ArcMarks[]
    expect([...arcs!.targets]).toEqual([190, 0])
    const [lines] = drawn(path, { line_column: 'way' }, { way: ['[[170,1],[-170,2]]'] }).marks as LineMarks[]
    expect([...lines!.lines[0]!]).toEqual([170, 1, 190, 2])
  })
  it('are cut for land: no outline spans half of the world', async () => {
    const { land } = await loadBaseMap('110m')
    for (const ring of land.flatMap(splitRings))
      for (let index = 2; index < ring.length; index += 2) {
        const isEdge = Math.abs(ring[index + 1]!) > 85 && Math.abs(ring[index - 1]!) > 85
        if (!isEdge) expect(Math.abs(ring[index]! - ring[index - 2]!)).toBeLessThan(180)
      }
  })
})

describe('lines and shapes', () => {
  it('are read as JSON, polyline and geohash; invalid ones are skipped', () => {
    const lines = (line_type: string, value: string | null, more: object = {}) =>
      (drawn(path, { line_column: 'way', line_type, ...more }, { way: [value] }).marks as LineMarks[]).flatMap(
        (marks) => marks.lines.map((line) => [...line]),
      )
    expect(lines('json', '{"type":"LineString","coordinates":[[1,2],[3,4]]}')).toEqual([[1, 2, 3, 4]])
    expect(lines('json', '[[2,1],[4,3]]', { reverse_long_lat: true })).toEqual([[1, 2, 3, 4]])
    expect(lines('polyline', '_p~iF~ps|U_ulLnnqC')[0]?.map((value) => Math.round(value))).toEqual([-120, 39, -121, 41])
    expect(lines('geohash', 'u')).toHaveLength(1)
    expect(lines('json', '{')).toEqual([])
    expect(lines('json', `${'{"geometry":'.repeat(5000)}1${'}'.repeat(5000)}`)).toEqual([])
    expect(lines('polyline', 'ÿ')).toEqual([])
    expect(lines('json', null)).toEqual([])
    expect(decodePolyline('')).toEqual([])
  })
  it('may be GeoJSON collections, whose colors are used if valid', () => {
    const collection = {
      type: 'FeatureCollection',
      features: [
        { type: 'Feature', properties: { fill: '#ff0000' }, geometry: { type: 'Point', coordinates: [1, 2] } },
        { type: 'Feature', properties: { fill: 'url(x)' }, geometry: { type: 'MultiPoint', coordinates: [[3, 4]] } },
      ],
    }
    const { marks, rowsWithoutLocation } = drawn(
      geojson,
      { geojson: 'g' },
      { g: [JSON.stringify(collection), 'none', '{"type":"Point"}'] },
    )
    const [dots] = marks as PointMarks[]
    expect([...dots!.positions]).toEqual([1, 2, 3, 4])
    expect(dots!.colors.map(({ paint }) => paint)).toEqual(['#ff0000', '#007a87'])
    expect(rowsWithoutLocation).toBe(2)
  })
  it('are nested as outlines and holes', () => {
    const square = (from: number, to: number): [number, number][] => [
      [from, from],
      [to, from],
      [to, to],
      [from, to],
      [from, from],
    ]
    const areas = nestRings([square(2, 8), square(0, 10), square(4, 6), square(20, 30)])
    expect(areas.map((area) => splitRings(area).length)).toEqual([2, 1, 1])
  })
  it('are colored in steps of a metric, even or at given numbers', () => {
    const columns = { shape: ['u0', 'u1', 'u2'], m: [0, 5, 10] }
    const form = { line_column: 'shape', line_type: 'geohash', metric: 'm' }
    const colorIndexes = (more: object) => [
      ...(drawn(polygon, { ...form, ...more }, columns).marks[0] as AreaMarks).colorIndexes,
    ]
    expect(colorIndexes({ num_buckets: 2 })).toEqual([0, 1, 1])
    expect(colorIndexes({ break_points: ['0', '7', '20'] })).toEqual([0, 0, 1])
  })
})

describe('bins', () => {
  it('have a legend with the steps of their values, and hidden steps are not drawn', () => {
    const places = { lon: [0, 0, 0, 60, -60], lat: [0, 0, 0, 0, 0] }
    const form = { spatial: latlong, grid_size: 1000, js_agg_function: 'count' }
    const made = drawn(hex, form, places)
    const legend = buildMapLegend(made.spec, made, { theme: themes.light })
    expect(made.spec.legend).toBe('tr')
    expect(legend.map(({ name }) => name)).toEqual([
      '1 – 1.33',
      '1.33 – 1.67',
      '1.67 – 2',
      '2 – 2.33',
      '2.33 – 2.67',
      '2.67 – 3',
    ])
    expect(new Set(legend.map(({ color }) => color)).size).toBe(6)
    const [left] = drawn(hex, form, places, new Set(['2.67 – 3'])).marks as AreaMarks[]
    expect([left?.areas.length, left?.own?.(0)[0]?.value]).toEqual([2, 1])
    const even = drawn(hex, form, { lon: [0, 60], lat: [0, 0] })
    expect(buildMapLegend(even.spec, even, { theme: themes.light }).map(({ name }) => name)).toEqual(['1'])
  })
  it('support all aggregates', () => {
    const all = Object.fromEntries(binAggregates.map((how) => [how, aggregateValues([1, 2, 3, 10], how)]))
    expect(all).toMatchObject({ sum: 16, min: 1, max: 10, mean: 4, median: 2.5, count: 4 })
    expect(all.variance).toBeCloseTo(16.67, 2)
    expect(all.p99).toBeCloseTo(9.79, 2)
    expect(aggregateValues([], 'max')).toBeNull()
  })
  it.each([grid, hex])('contain every point once ($viz_type)', (chart) => {
    const lon = Array.from({ length: 200 }, (_, index) => (index * 7.3) % 170)
    const lat = Array.from({ length: 200 }, (_, index) => ((index * 3.1) % 120) - 60)
    const [marks] = drawn(chart, { spatial: latlong, grid_size: 500_000 }, { lon, lat }).marks as AreaMarks[]
    const total = marks!.areas.reduce((sum, _, index) => sum + Number(marks!.own?.(index)[0]?.value), 0)
    expect(total).toBe(200)
    expect(marks!.areas.length).toBeGreaterThan(10)
  })
})

it('points within the cluster radius at a zoom are clustered with an aggregate of their values', () => {
  const columns = { lon: [0, 0.1, 50], lat: [0, 0.1, 50], m: [2, 5, 9] }
  const form = { all_columns_x: 'lon', all_columns_y: 'lat', mapbox_label: ['m'], pandas_aggfunc: 'max' }
  const [marks] = drawn(mapbox, form, columns).marks as WeightedMarks[]
  const cluster = clusterer(marks!, marks!.layer as ClustersLayer, 'en')
  expect(cluster(2).map(({ count, text }) => [count, text])).toEqual([
    [2, '5'],
    [1, ''],
  ])
  expect(cluster(14)).toHaveLength(3)
})

it('CTRL-106: a viewport is the initial view; all marks are shown with auto zoom or without a viewport', () => {
  const columns = { lon: [0, 10], lat: [0, 10] }
  const viewport = { longitude: 5, latitude: 6, zoom: 3 }
  expect(drawn(scatter, { spatial: latlong, viewport }, columns).spec.viewport).toEqual({
    ...viewport,
    bearing: 0,
    pitch: 0,
  })
  expect(drawn(scatter, { spatial: latlong, viewport, autozoom: true }, columns).spec.viewport).toBeNull()
  const room = { width: 600, height: 300 }
  const { project } = createProjection(fitViewport(drawn(scatter, { spatial: latlong }, columns).bounds, room), room)
  for (const place of [project(0, 0), project(10, 10)]) {
    expect(place[0]).toBeGreaterThan(0)
    expect(place[0]).toBeLessThan(600)
    expect(place[1]).toBeGreaterThan(0)
    expect(place[1]).toBeLessThan(300)
  }
})

it('JavaScript settings are stored but not run, and the chart has a note about it', async () => {
  const form = { spatial: latlong, js_tooltip: 'd => globalThis.ran = true', viz_type: 'deck_scatter' }
  const { frames } = drawn(scatter, form, { lon: [1], lat: [1] })
  const { svg } = await drawChart('deck_scatter', frames, form)
  expect(svg).toContain('is stored but not run')
  expect('ran' in globalThis).toBe(false)
})

describe('hostile responses', () => {
  const form = { spatial: { type: 'geohash', geohashCol: 'name' }, dimension: 'name', legend_position: 'tr' }
  it.each(Object.entries(buildHostileFrames('name', 'm')))('%s are drawn without failing', async (_, { rows }) => {
    const { svg } = await drawChart('deck_scatter', { rows }, { ...form, viz_type: 'deck_scatter' })
    expect(svg).not.toMatch(/NaN|undefined/)
    expect(svg).not.toContain('<script')
  })
  it('legend labels are plain text', async () => {
    const rows = toFrames({
      rows: [
        { name: 'lon', values: [1, 2] },
        { name: 'lat', values: [1, 2] },
        { name: 'name', values: ['<script>alert(1)</script>', 'x'.repeat(10_000)] },
      ],
    })
    const pointForm = { ...form, spatial: latlong, viz_type: 'deck_scatter' }
    const { svg } = await drawChart('deck_scatter', rows, pointForm)
    expect(svg).toContain('&lt;script')
    expect(svg.length).toBeLessThan(400_000)
  })
})

it('the base map supports both themes', async () => {
  const frames = toFrames({
    rows: [
      { name: 'lon', values: [1] },
      { name: 'lat', values: [1] },
    ],
  })
  const draw = async (theme: 'light' | 'dark') =>
    (await drawChart('deck_scatter', frames, { spatial: latlong, viz_type: 'deck_scatter' }, { theme })).svg
  expect(await draw('dark')).toContain(themes.dark.sunken)
  expect(await draw('light')).not.toContain(themes.dark.sunken)
})

it('regression: a map wider than the world shows each location once', () => {
  const bounds = { west: -179, south: -80, east: 100, north: 84 }
  const view = fitViewport(bounds, { width: 1200, height: 440 })
  expect(view.longitude).toBe(0)
  expect(isWholeWorld(view, 1200)).toBe(true)
  expect(isWholeWorld({ ...view, longitude: -150 }, 600)).toBe(false)
  expect(fitViewport(bounds, { width: 200, height: 600 }).longitude).toBe(-39.5)
})

it('regression: screen grid cells with small values are visible on a dark sea', () => {
  const layer = { color: { paint: '#315ccc', alpha: 1 } } as CellsLayer
  const alphas = Array.from({ length: cellSteps }, (_, step) => cellAlpha((step + 1) / cellSteps, layer))
  expect(alphas[0]).toBe(0.35)
  expect(alphas.at(-1)).toBe(1)
  expect(alphas).toEqual(alphas.toSorted((a, b) => a - b))
})
