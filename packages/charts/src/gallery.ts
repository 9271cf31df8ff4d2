import type { DataRequirements } from './explore/data-requirements.ts'
import { facts } from './gallery.gen.ts'
import { chartEntries, type ChartEntry } from './registry.ts'

/** What only somebody who chooses a chart wants to know (CHART-037). Apart from the registry, which every page reads. */
export interface GalleryFacts {
  category: string
  tags: readonly string[]
  description: string
  /** Badge of the gallery: it is among the most used, or kept for charts that have it. */
  label: 'FEATURED' | 'DEPRECATED' | null
  /** Why it has its badge, where the usual words do not say so; else empty. */
  labelExplanation: string
  deprecated: boolean
  /** Pictures of the gallery by their file's name, with the words below them; `examples` of the views has their addresses. */
  exampleGallery: readonly { name: string; caption: string }[]
  /** What of a dataset it cannot do without. */
  needs: DataRequirements
}

export type GalleryEntry = ChartEntry & GalleryFacts

export const galleryEntries: readonly GalleryEntry[] = chartEntries.map((entry) => ({
  ...entry,
  ...(facts[entry.viz_type] as GalleryFacts),
}))
