import { readdirSync, readFileSync } from 'node:fs'
import type { Frame } from '@parquetry/frame'
import type { ChartForm } from '../define.ts'
import { readAllFixtures } from './fixtures.ts'

interface OldForms {
  /** viz_type -> query settings. */
  types: Record<string, ChartForm>
  /** Settings left by older releases and other tools, by name. */
  settings: Record<string, ChartForm>
}

const root = new URL('../', import.meta.url)
const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, root), 'utf8'))

/** Returns stored forms by name: those of all fixtures, and each type with each kind of odd setting. */
export function storedForms(): (readonly [name: string, form: ChartForm])[] {
  const fixtures = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.form.json'))
    .map((path) => [path, read(path) as ChartForm] as const)
  const { types, settings } = read('testing/old-forms.json') as OldForms
  const old = Object.entries(types).flatMap(([viz_type, typeSettings]) =>
    Object.entries(settings).map(
      ([kind, more]) => [`${viz_type} with ${kind}`, { viz_type, ...typeSettings, ...more }] as const,
    ),
  )
  return [...fixtures, ...old]
}

/**
 * Returns one stored form per viz type, including legacy types: from the folder of its chart with the frames of its response,
 * otherwise from `old-forms.json`.
 */
export function formsByType(): Record<string, { form: ChartForm; frames: Record<string, Frame> }> {
  const { types } = read('testing/old-forms.json') as OldForms
  const old = Object.entries(types).map(
    ([viz_type, form]) => [viz_type, { form: { viz_type, ...form }, frames: {} }] as const,
  )
  const forms: Record<string, { form: ChartForm; frames: Record<string, Frame> }> = {}
  for (const each of readAllFixtures()) forms[String(each.form.viz_type)] ??= each
  return { ...Object.fromEntries(old), ...forms }
}
