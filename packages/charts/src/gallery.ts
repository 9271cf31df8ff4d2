import type { DataRequirements } from './explore/data-requirements.ts'
import { facts } from './gallery.gen.ts'
import { chartEntries, pluginEntries, type ChartEntry } from './registry.ts'

/** Facts needed only to choose a chart (CHART-037). Separate from the registry, which every page reads. */
export interface GalleryFacts {
  category: string
  tags: readonly string[]
  description: string
  /** Badge in the gallery: among the most used, or available only to charts that already have the type. */
  label: 'FEATURED' | 'DEPRECATED' | null
  /** Explanation of its badge, if the default text does not explain it; else empty. */
  labelExplanation: string
  deprecated: boolean
  /** Images of the gallery by file name, with their captions; `examples` of the views has their URLs. */
  exampleGallery: readonly { name: string; caption: string }[]
  /** Columns and metrics that it requires of a dataset. */
  needs: DataRequirements
}

export type GalleryEntry = ChartEntry & GalleryFacts

export const galleryEntries: readonly GalleryEntry[] = chartEntries.map((entry) => ({
  ...entry,
  ...(facts[entry.viz_type] as GalleryFacts),
}))

/** The chart types of plugins. They say nothing about the data that they need. */
export const listPluginGalleryEntries = (): GalleryEntry[] =>
  pluginEntries.map((entry) => ({
    ...entry,
    category: 'Plugins',
    tags: [],
    description: '',
    label: null,
    labelExplanation: '',
    deprecated: false,
    exampleGallery: [],
    needs: { times: 0, columns: 0, numbers: 0, metrics: 0 },
  }))
