import type { TObject, TSchema } from 'typebox'
import type { ChartForm, Control, DatasetFacts } from './define.ts'
import { misfit } from './fits.ts'
import { loosen } from './read-form.ts'

export interface Field {
  name: string
  schema: TSchema
  control: Control
  /** As stored; undefined when the form has none. */
  value: unknown
  /** What is drawn when the form has no value. */
  default: unknown
  /** Why the stored value does not fit, to be read after the label (`Row limit is expected to be an integer`); null when it does. */
  error: string | null
  /** False while `when` does not hold: such a control is hidden and keeps its value (CTRL-001 is the panel's). */
  visible: boolean
  required: boolean
}

export interface FieldGroup {
  group: Control['group']
  fields: Field[]
}

const order: Control['group'][] = ['query', 'compare', 'look']

/**
 * The control panel of a form as data, in the order of the schema, by groups; empty groups are left out. Settings without a
 * control (kept for other tools) are not listed.
 */
export function controlsOf(schema: TObject, form: ChartForm = {}, dataset?: DatasetFacts): FieldGroup[] {
  const required = new Set<string>((schema as { required?: string[] }).required ?? [])
  const fields = Object.entries(schema.properties as Record<string, TSchema & { control?: Control; default?: unknown }>)
    .filter(([, property]) => property.control)
    .map(([name, property]) => fieldOf(name, property, form, required.has(name), dataset))
  return order
    .map((group) => ({ group, fields: fields.filter((field) => field.control.group === group) }))
    .filter(({ fields: own }) => own.length > 0)
}

function fieldOf(
  name: string,
  schema: TSchema & { control?: Control; default?: unknown },
  form: ChartForm,
  required: boolean,
  dataset: DatasetFacts | undefined,
): Field {
  const look = schema.control as Control
  const value = form[name]
  const visible = look.when?.(form, dataset) ?? true
  const isMissing = value === undefined && (!required || schema.default !== undefined)
  return {
    name,
    schema,
    control: look,
    value,
    default: schema.default,
    error: isMissing || !visible ? null : misfit(schema, loosen(schema, value)),
    visible,
    required: required && schema.default === undefined,
  }
}

/** Errors that block running (CTRL-002): visible controls only. */
export const errorsOf = (groups: FieldGroup[]): { name: string; label: string; error: string }[] =>
  groups
    .flatMap(({ fields }) => fields)
    .flatMap(({ name, control, error }) => (error ? [{ name, label: control.label, error }] : []))
