import type { AnyChart } from '../define.ts'
import { fixturesOf } from './fixtures.ts'

const most = 2

/** Names of the fixtures that the gallery shows of a chart. */
export const examplesOf = (folder: string, { exampleGallery }: AnyChart): readonly string[] =>
  exampleGallery ??
  fixturesOf(folder)
    .map(({ name }) => name)
    .sort((a, b) => (a < b ? -1 : 1))
    .slice(0, most)

/** What stands below an example: the name of its fixture as words. */
export const captionOf = (name: string): string => {
  const words = name.replaceAll('-', ' ')
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}
