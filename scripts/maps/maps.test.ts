import { geoArea } from 'd3-geo'
import { iso31662 } from 'iso-3166'
import { describe, expect, it } from 'vitest'
import { countries as drawn } from '../../packages/charts/src/shared/geo/countries.gen.ts'
import { loadMap, mapOf } from '../../packages/charts/src/shared/geo/geo-map.ts'
import { maps } from '../../packages/charts/src/shared/geo/maps.gen.ts'
import { countries } from './countries.ts'

const mapped = async (key: string) => {
  await loadMap(key)
  return mapOf(key)!
}
const loadText = async (key: string) => (await maps[key]?.())?.default ?? ''

describe.each(countries.map((country) => [country.key, country] as const))('the map of %s', (key, country) => {
  it('has each region of ISO 3166-2 once, or a reason for leaving it out', async () => {
    const { regions, groups } = await mapped(key)
    const codes = [...regions, ...groups].map(({ code }) => code)
    expect(new Set(codes).size).toBe(codes.length)
    const given = Object.values(country.without ?? {})
    const isAway = (code: string) =>
      given.some((each) => (typeof each === 'string' ? each.split(' ').includes(code) : each.test(code)))
    const standard = iso31662.map(({ code }) => code).filter((code) => code.startsWith(`${country.iso}-`))
    expect(standard.filter((code) => codes.includes(code) === isAway(code))).toEqual([])
    expect(codes.filter((code) => !standard.includes(code))).toEqual(Object.keys(country.beyond ?? {}))
  })

  it('has an outline for each region, in the right direction, in a small file', async () => {
    const { regions } = await mapped(key)
    for (const { code, shape } of regions) {
      const area = geoArea(shape)
      expect([code, area > 0 && area < 3]).toEqual([code, true])
    }
    expect((await loadText(key)).length).toBeLessThanOrEqual(60_000)
  })
})

it('the world has a place for each country with a code, each code once', async () => {
  const { regions } = await mapped('world')
  const known = regions.filter(({ code }) => code !== '')
  for (const codes of [known.map(({ code }) => code), known.map(({ cca3 }) => cca3)]) {
    expect(new Set(codes).size).toBe(codes.length)
    expect(codes).toHaveLength(250)
  }
  expect((await loadText('world')).length).toBeLessThanOrEqual(120_000)
})

it('every country map can be chosen, and every one that can be chosen exists', () => {
  expect(['world', ...Object.keys(drawn)]).toEqual(Object.keys(maps))
  expect(Object.keys(drawn).length).toBeGreaterThan(60)
})
