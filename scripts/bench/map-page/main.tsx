import '@fontsource-variable/inter'
import { toFrames } from '@parquetry/charts/testing/frames'
import { ChartHost } from '@parquetry/charts/views'
import { englishTranslator } from '@parquetry/model'
import { UiProvider } from '@parquetry/ui'
import { createRoot } from 'react-dom/client'

const rows = Array.from({ length: 200_000 }, (_, row) => row)
const frames = toFrames({
  rows: [
    { name: 'lon', values: rows.map((row) => ((row * 7919) % 360_000) / 1000 - 180) },
    { name: 'lat', values: rows.map((row) => ((row * 104_729) % 140_000) / 1000 - 70) },
    { name: 'kind', values: rows.map((row) => `Kind ${row % 7}`) },
  ],
})
const form = {
  viz_type: 'deck_scatter',
  spatial: { type: 'latlong', lonCol: 'lon', latCol: 'lat' },
  dimension: 'kind',
  point_radius_fixed: { type: 'fix', value: 1000 },
  viewport: { longitude: 0, latitude: 30, zoom: 2 },
}
const navigation = { navigate: () => {}, href: (to: string) => to }

createRoot(document.querySelector('#root') as HTMLElement).render(
  <UiProvider navigation={navigation as never} i18n={{ locale: 'en', messages: {}, translate: englishTranslator }}>
    <div style={{ width: 1200, height: 640 }}>
      <ChartHost form={form} frames={frames} title="Map" onMark={() => {}} />
    </div>
  </UiProvider>,
)
