import { facts } from './gallery.gen.ts'
import { chartEntries, type ChartEntry } from './registry.ts'

/** What only somebody who chooses a chart wants to know (CHART-037). Apart from the registry, which every page reads. */
export interface GalleryFacts {
  category: string
  tags: readonly string[]
  description: string
}

export type GalleryEntry = ChartEntry & GalleryFacts

export const galleryEntries: readonly GalleryEntry[] = chartEntries.map((entry) => ({
  ...entry,
  ...(facts[entry.viz_type] as GalleryFacts),
}))
