import { expect, it } from 'vitest'
import bigNumber from '../../big-number/chart.ts'
import { applyDefaults } from '../../read-form.ts'
import { colorScale } from './scale.ts'
import { defaultScheme, schemeOf, schemes } from './schemes.ts'

it('EXP-079, EXP-080: an unknown scheme is drawn with the default scheme', () => {
  expect(schemeOf('of another tool').id).toBe(defaultScheme)
  expect(schemeOf(null).id).toBe(defaultScheme)
  expect(schemes.map(({ id }) => id)).toContain(defaultScheme)
  expect(colorScale('of another tool')(['a'])('a')).toBe(colorScale(defaultScheme)(['a'])('a'))
})

it('CTRL-109, CTRL-111: a fixed color is red, green, blue and opacity, rgba(0,122,135,1) by default', () => {
  expect(applyDefaults(bigNumber.form, {}).color_picker).toEqual({ r: 0, g: 122, b: 135, a: 1 })
})
