import { chartTextId, namedTextId } from '@parquetry/charts'
import { type GalleryEntry } from '@parquetry/charts/gallery'
import { useTranslate } from '@parquetry/ui'
import { useMemo } from 'react'
import { categoryOf, otherCategory, type GalleryCategory } from './find-charts.ts'

/** Chart types and sections in the user's language, so that search matches the displayed text. */
export function useGalleryTexts() {
  const t = useTranslate()
  return useMemo(() => {
    const ofCategory = (name: string) =>
      name === otherCategory ? t('explore.viz.other', 'Other') : t(namedTextId('category', name), name)
    return {
      ofChart: (chart: GalleryEntry): GalleryEntry => {
        const { viz_type, name, description, labelExplanation, tags, exampleGallery } = chart
        return {
          ...chart,
          name: t(chartTextId(viz_type, 'name'), name),
          category: ofCategory(categoryOf(chart)),
          description: t(chartTextId(viz_type, 'description'), description),
          tags: tags.map((tag) => t(namedTextId('tag', tag), tag)),
          labelExplanation: labelExplanation && t(chartTextId(viz_type, 'labelExplanation'), labelExplanation),
          exampleGallery: exampleGallery.map((example) => ({
            name: example.name,
            caption: t(namedTextId('example', example.name), example.caption),
          })),
        }
      },
      ofPlace: (category: GalleryCategory): string =>
        category.kind === 'all' ? t('explore.viz.allCharts', 'All charts') : ofCategory(category.name),
    }
  }, [t])
}
