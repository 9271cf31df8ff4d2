import type { ChartForm, Field } from '@parquetry/charts'
import { formatNumber } from '../../shared/formats.ts'
import type { LayerError } from '../../shared/annotations/layer-errors.ts'
import type { ExploreDataset } from '../use-explore.ts'

export interface FieldControlProps {
  field: Field
  /** The whole form, for controls that offer what others hold. */
  form: ChartForm
  dataset: ExploreDataset
  /** Of the annotation layers of the last answer. */
  layerErrors?: readonly LayerError[]
  /** Undefined takes the setting out of the form. */
  onChange(value: unknown): void
}

/** What the controls read of a field's JSON schema. */
export interface FieldSchema {
  type?: string
  const?: string | number | boolean
  anyOf?: FieldSchema[]
  minimum?: number
  maximum?: number
}

/** A text or number that does not fit is shown, to be mended; controls of several parts show what counts in its place. */
export const displayedValue = ({ value, effective, error }: Field): unknown =>
  error !== null && (typeof value === 'string' || typeof value === 'number') ? value : effective

export const presetOptions = ({ control }: Field) =>
  (control.presets ?? []).map(([value, label = typeof value === 'number' ? formatNumber(value) : value]) => ({
    value: String(value),
    label,
  }))

/** What counts, as a list: of nothing none, of one thing that. */
export const toValueList = ({ effective }: Field): unknown[] =>
  Array.isArray(effective) ? effective : effective === undefined || effective === null ? [] : [effective]

/** The schema without its null branch. */
export function resolveFieldSchema({ schema }: Field): FieldSchema {
  const shape = schema as FieldSchema
  const branches = shape.anyOf?.filter(({ type }) => type !== 'null')
  if (!branches) return shape
  const [only] = branches
  return branches.length === 1 && only ? only : { ...shape, anyOf: branches }
}
