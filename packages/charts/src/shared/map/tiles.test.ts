import { expect, it } from 'vitest'
import { tileUrl, tileBounds, tileKey, parentTile, listVisibleTiles } from './tiles.ts'

const keys = (bounds: number[], zoom: number) => listVisibleTiles(bounds, zoom).map(tileKey)

it('returns the visible tiles at the size at which they are drawn, those in the center first', () => {
  expect(keys([-180, -85, 180, 85], 0).toSorted()).toEqual(['1/0/0', '1/0/1', '1/1/0', '1/1/1'])
  // Berlin
  const seen = keys([13.2, 52.4, 13.6, 52.6], 10)
  expect(seen[0]).toMatch(/^11\/1100\/671$/)
  expect(seen.length).toBeLessThan(20)
  expect(seen).toContain('11/1101/671')
})

it('wraps at the date line and returns no tile twice', () => {
  const seen = keys([170, -10, 190, 10], 3)
  expect(seen).toContain('4/15/7')
  expect(seen).toContain('4/0/7')
  const whole = keys([-400, -80, 400, 80], 0)
  expect(new Set(whole).size).toBe(whole.length)
  expect(whole.length).toBeLessThanOrEqual(4)
})

it('limits the number of tiles, however much a tilted map shows', () => {
  expect(listVisibleTiles([-170, -80, 170, 84], 8).length).toBeLessThanOrEqual(80)
  expect(listVisibleTiles([0, 0, 1e-4, 1e-4], 30)[0]?.z).toBe(19)
})

it('a tile is a quarter of its parent', () => {
  const tile = { z: 4, x: 8, y: 5 }
  expect(parentTile(tile)).toEqual({ z: 3, x: 4, y: 2 })
  expect(parentTile({ z: 0, x: 0, y: 0 })).toBeNull()
  const [west, south, east, north] = tileBounds(tile)
  expect([west, east]).toEqual([0, 22.5])
  expect(south).toBeLessThan(north)
  expect(tileUrl('https://a.org/{z}/{y}/{x}@{z}', tile)).toBe('https://a.org/4/5/8@4')
})
