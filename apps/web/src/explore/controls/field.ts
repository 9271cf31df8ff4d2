import type { ChartForm, Field } from '@parquetry/charts'
import { formatNumber } from '../../shared/formats.ts'
import type { LayerError } from '../../shared/annotations/layer-errors.ts'
import type { ExploreDataset } from '../use-explore.ts'

export interface FieldControlProps {
  field: Field
  /** The entire form, for controls that depend on other settings. */
  form: ChartForm
  dataset: ExploreDataset
  /** Errors of the annotation layers in the last response. */
  layerErrors?: readonly LayerError[]
  /** Undefined removes the setting from the form. */
  onChange(value: unknown): void
}

/** Keywords of a field's JSON schema that the controls use. */
export interface FieldSchema {
  type?: string
  const?: string | number | boolean
  anyOf?: FieldSchema[]
  minimum?: number
  maximum?: number
}

/** Returns an invalid string or number unchanged, so that the user can correct it; otherwise the effective value. */
export const displayedValue = ({ value, effective, error }: Field): unknown =>
  error !== null && (typeof value === 'string' || typeof value === 'number') ? value : effective

export const presetOptions = ({ control }: Field) =>
  (control.presets ?? []).map(([value, label = typeof value === 'number' ? formatNumber(value) : value]) => ({
    value: String(value),
    label,
  }))

/** The effective value as a list: empty for null, one entry for a single value. */
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
