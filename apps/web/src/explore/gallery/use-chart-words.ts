import { textId } from '@parquetry/charts'
import { type GalleryEntry } from '@parquetry/charts/gallery'
import { useText } from '@parquetry/ui'
import { useMemo } from 'react'
import { categoryOf, otherCategory, type Place } from './find-charts.ts'

/** Chart types and sections in the reader's language: what is read is also what is found. */
export function useChartWords() {
  const t = useText()
  return useMemo(() => {
    const say = (text: string) => text && t(textId(text), text)
    const ofCategory = (name: string) => (name === otherCategory ? t('explore.viz.other', 'Other') : say(name))
    return {
      ofChart: (chart: GalleryEntry): GalleryEntry => ({
        ...chart,
        name: say(chart.name),
        category: ofCategory(categoryOf(chart)),
        description: say(chart.description),
        tags: chart.tags.map(say),
        labelExplanation: say(chart.labelExplanation),
        exampleGallery: chart.exampleGallery.map(({ name, caption }) => ({ name, caption: say(caption) })),
      }),
      ofPlace: (place: Place): string =>
        place.kind === 'all' ? t('explore.viz.allCharts', 'All charts') : ofCategory(place.name),
    }
  }, [t])
}
