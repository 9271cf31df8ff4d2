import { expect, it } from 'vitest'
import { tileOrigin, readMapTiles, resolveTiles } from './map-tiles.ts'

const streets = {
  url: 'https://tiles.example.org/{z}/{x}/{y}.png',
  name: 'Streets',
  attribution: '© OpenStreetMap contributors',
}
const local = { ...streets, url: 'http://127.0.0.1:9000/a/{z}/{y}/{x}', name: 'Own', link: 'https://example.org/map' }

it('reads tile servers, whose hosts go unchanged into the content security policy', () => {
  const tiles = readMapTiles([streets, { ...local, more: 1 }])
  expect(tiles).toEqual([streets, local])
  expect(tiles.map(tileOrigin)).toEqual(['https://tiles.example.org', 'http://127.0.0.1:9000'])
})

it.each([
  ['no list', 'a'],
  ['no attribution', [{ ...streets, attribution: '' }]],
  ['no row', [{ ...streets, url: 'https://tiles.example.org/{z}/{x}.png' }]],
  ['a host that is made of the place', [{ ...streets, url: 'https://{s}.example.org/{z}/{x}/{y}.png' }]],
  ['a host that would end the policy', [{ ...streets, url: 'https://a;script-src/{z}/{x}/{y}.png' }]],
  ['another scheme', [{ ...streets, url: 'javascript://a/{z}/{x}/{y}' }]],
  ['a link that runs', [{ ...streets, link: 'javascript:alert(1)' }]],
])('rejects %s', (_, value) => {
  expect(() => readMapTiles(value)).toThrow(/\.$/)
})

it('returns the tiles named by the style, else the first, and none for the land style', () => {
  expect(resolveTiles([streets, local], `tile://${local.url}`)).toBe(local)
  expect(resolveTiles([streets, local], 'mapbox://styles/mapbox/dark-v9')).toBe(streets)
  expect(resolveTiles([streets, local], 'land')).toBeNull()
  expect(resolveTiles([], undefined)).toBeNull()
})
