import { loadChart } from '@parquetry/charts'
import { readFixtures } from '@parquetry/charts/testing/fixtures'
import { existsSync, readdirSync } from 'node:fs'

const src = new URL('../../packages/charts/src/', import.meta.url)

/** Every chart type with its folder and its series kinds. */
export async function listChartTypes(): Promise<{ viz_type: string; folder: string; kinds: readonly string[] }[]> {
  const folders = readdirSync(src).filter((folder) => existsSync(new URL(`${folder}/chart.ts`, src)))
  return Promise.all(
    folders.map(async (folder) => {
      const viz_type = String(readFixtures(folder)[0]?.form.viz_type)
      const chart = await loadChart(viz_type)
      return { viz_type, folder, kinds: chart?.series ?? [] }
    }),
  )
}
