import { buildFrame } from '@parquetry/frame'
import { show } from '@parquetry/ui/show.testing.tsx'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { parseColor } from '../shared/colors/color.ts'
import { colorScale } from '../shared/colors/scale.ts'
import { AnalogousColorsContext } from './analogous-colors.ts'
import { ChartHost } from './index.tsx'

const names = Array.from({ length: 14 }, (_, index) => `slice ${index}`)
const showPie = (isAnalogous: boolean) =>
  show(
    <AnalogousColorsContext value={isAnalogous}>
      <div style={{ width: 600, height: 400 }}>
        <ChartHost
          form={{ viz_type: 'pie', groupby: ['name'], metric: 'n', color_scheme: 'parquetry', legendType: 'plain' }}
          frames={{ slices: buildFrame({ name: names, n: names.map((_, index) => 20 - index) }) }}
          title="Pie"
        />
      </div>
    </AnalogousColorsContext>,
  )

/** Colors of the swatches of the legend, by entry. */
const legendColors = async () => {
  await expect.element(page.getByRole('button', { name: 'slice 0', exact: true })).toBeVisible()
  return names.map(
    (name) => page.getByRole('button', { name, exact: true }).element().querySelector('i')!.style.background,
  )
}

it.each([true, false])(
  'PERM-038: the legend has the colors of the scale, analogous ones with the flag: %s',
  async (isAnalogous) => {
    await showPie(isAnalogous)
    const swatches = await legendColors()
    const colorOf = colorScale('parquetry', {}, { isAnalogous })(names)
    expect(swatches).toEqual(names.map((name) => `rgb(${parseColor(colorOf(name))!.join(', ')})`))
  },
)
