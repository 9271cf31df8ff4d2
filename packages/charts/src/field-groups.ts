import type { Message } from '@parquetry/model/message'
import type { TObject, TSchema } from 'typebox'
import type { ChartForm, Control, DatasetFacts } from './define.ts'
import { validateValue } from './validate-value.ts'
import { coerceValue, valueOrDefault } from './read-form.ts'

export interface Field {
  name: string
  schema: TSchema
  control: Control
  /** Stored value; undefined if the form has none. */
  value: unknown
  /** Value drawn if the form has none. */
  default: unknown
  /** Value drawn: the stored value if it is valid, else the default. */
  effective: unknown
  /**
   * Reason why the stored value is invalid, for `formatValidationError` (`Row limit is expected to be an integer`); null if it is valid.
   */
  error: Message | null
  /**
   * True for an unset value, null, an empty text or list, or the `false` of earlier releases for a setting that is not boolean.
   */
  isEmpty: boolean
  /** False while `when` does not hold: the control is hidden, and `resetHiddenValues` decides about its value. */
  visible: boolean
  required: boolean
}

export interface FieldGroup {
  group: Control['group']
  fields: Field[]
}

const order: Control['group'][] = ['query', 'compare', 'look']

/**
 * Returns the control panel of a form as data, by group in schema order; empty groups are omitted. Settings without a control
 * (stored for other tools) are not listed.
 */
export function buildFieldGroups(schema: TObject, form: ChartForm = {}, dataset?: DatasetFacts): FieldGroup[] {
  const required = new Set<string>((schema as { required?: string[] }).required ?? [])
  const fields = Object.entries(schema.properties as Record<string, TSchema & { control?: Control; default?: unknown }>)
    .filter(([, property]) => property.control)
    .map(([name, property]) => buildField(name, property, form, required.has(name), dataset))
  return order
    .map((group) => ({ group, fields: fields.filter((field) => field.control.group === group) }))
    .filter(({ fields: own }) => own.length > 0)
}

function buildField(
  name: string,
  schema: TSchema & { control?: Control; default?: unknown },
  form: ChartForm,
  required: boolean,
  dataset: DatasetFacts | undefined,
): Field {
  const look = schema.control as Control
  const value = form[name]
  const visible = look.when?.(form, dataset) ?? true
  const isRequired = (required && schema.default === undefined) || look.required?.(form) === true
  const isEmpty = isEmptyValue(schema, value)
  return {
    name,
    schema,
    control: look,
    value,
    default: schema.default,
    effective: valueOrDefault(schema, value),
    error:
      !visible || (isEmpty && !isRequired)
        ? null
        : validateValue(schema, isEmpty ? undefined : coerceValue(schema, value)),
    isEmpty,
    visible,
    required: isRequired,
  }
}

/**
 * CTRL-001: returns an edited form without the values of controls that the edit hid, including those hidden in turn. Controls
 * with `resetOnHide: false` and controls that were hidden before keep their values.
 */
export function resetHiddenValues(
  schema: TObject,
  before: ChartForm,
  edited: ChartForm,
  dataset?: DatasetFacts,
): ChartForm {
  const isShown = ({ when }: Control, form: ChartForm): boolean => when?.(form, dataset) ?? true
  const hidden = Object.entries(schema.properties as Record<string, TSchema & { control?: Control }>)
    .filter(([name, { control }]) => edited[name] !== undefined && control && control.resetOnHide !== false)
    .filter(([, { control }]) => isShown(control as Control, before) && !isShown(control as Control, edited))
    .map(([name]) => name)
  if (hidden.length === 0) return edited
  const rest = Object.fromEntries(Object.entries(edited).filter(([name]) => !hidden.includes(name)))
  return resetHiddenValues(schema, edited, rest, dataset)
}

const isEmptyValue = (schema: TSchema, value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (value === false && validateValue(schema, false) !== null)

/** Forms with values that the current edit did not set. */
export interface BaselineForms {
  /** As opened by the page: from a chart, a link or a draft. */
  opened: ChartForm
  /** Form saved on the server for a chart of this type; null if nothing is saved. */
  saved: ChartForm | null
}

/**
 * Errors that block running (CTRL-002): of visible controls, values set since the form was opened, and empty required values.
 * Values of a saved chart never block: they count as not set, as on a dashboard.
 */
export const findBlockingErrors = (
  groups: FieldGroup[],
  { opened, saved }: BaselineForms = { opened: {}, saved: null },
): { name: string; label: string; error: Message }[] =>
  groups
    .flatMap(({ fields }) => fields)
    .flatMap(({ name, control, value, error, isEmpty }) => {
      const isStored = (!isEmpty && isSame(value, opened[name])) || (saved !== null && isSame(value, saved[name]))
      return error === null || isStored ? [] : [{ name, label: control.label, error }]
    })

const isSame = (one: unknown, other: unknown): boolean => one === other || JSON.stringify(one) === JSON.stringify(other)
