import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Frame } from '@parquetry/frame'
import type { AnnotationData } from '@parquetry/model'
import type { ChartForm } from '../define.ts'
import { toFrames, type FixtureColumn } from './frames.ts'

export interface Fixture {
  name: string
  form: ChartForm
  frames: Record<string, Frame>
  /** Data of its annotation layers. */
  annotations: Record<string, AnnotationData>
  /** The reviewed result of `spec`; undefined for a new fixture. */
  spec: unknown
  specPath: string
}

/**
 * Returns all fixtures of a chart's folder: `<name>.form.json`, `.frames.json`, `.spec.json`, with layers `.annotations.json`.
 */
export function readFixtures(folder: string): Fixture[] {
  const root = fileURLToPath(new URL(`../${folder}/fixtures/`, import.meta.url))
  const read = (file: string): unknown => JSON.parse(readFileSync(root + file, 'utf8'))
  const readIfThere = (file: string): unknown => (existsSync(root + file) ? read(file) : undefined)
  return readdirSync(root)
    .filter((file) => file.endsWith('.form.json'))
    .map((file) => {
      const name = file.slice(0, -'.form.json'.length)
      const annotations = readIfThere(`${name}.annotations.json`) ?? {}
      const specPath = `${root}${name}.spec.json`
      return {
        name,
        form: read(file) as ChartForm,
        frames: toFrames(read(`${name}.frames.json`) as Record<string, FixtureColumn[]>),
        annotations: annotations as Record<string, AnnotationData>,
        spec: readIfThere(`${name}.spec.json`),
        specPath,
      }
    })
}

const charts = new URL('../', import.meta.url)

/** Returns the fixtures of every chart. */
export const readAllFixtures = (): Fixture[] =>
  readdirSync(charts).flatMap((name) => (existsSync(new URL(`${name}/fixtures/`, charts)) ? readFixtures(name) : []))
