import type { AnyChart } from '../define.ts'
import { readFixtures } from './fixtures.ts'

const maxExamples = 2

/** Returns the names of a chart's fixtures that the gallery shows. */
export const listExamples = (folder: string, { exampleGallery }: AnyChart): readonly string[] =>
  exampleGallery ??
  readFixtures(folder)
    .map(({ name }) => name)
    .sort((a, b) => (a < b ? -1 : 1))
    .slice(0, maxExamples)

/** Returns the caption of an example: the name of its fixture in words. */
export const formatCaption = (name: string): string => {
  const words = name.replaceAll('-', ' ')
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}
