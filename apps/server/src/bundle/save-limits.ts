import {
  AppError,
  annotationLayerRoutes,
  type BundledKind,
  chartRoutes,
  cssTemplateRoutes,
  dashboardRoutes,
  databaseRoutes,
  datasetRoutes,
  defaultBodyLimit,
  type FieldMessages,
  message,
  savedQueryRoutes,
  themeRoutes,
} from '@parquetry/model'
import type { TSchema } from 'typebox'
import { refuseTooLarge, refuseTooManyCharts } from '../dashboard/save-dashboard.ts'
import { findErrors, type SchemaErrors } from '../http/check-fields.ts'
import { fileProblem } from './fields.ts'
import type { AnyContent } from './importers.ts'

interface SavingRoute {
  body: TSchema
  bodyLimit?: number
}

/** The calls that save objects of each kind. */
const savingRoutes: Record<BundledKind, SavingRoute> = {
  theme: themeRoutes.update,
  css_template: cssTemplateRoutes.update,
  annotation_layer: annotationLayerRoutes.update,
  database: databaseRoutes.update,
  dataset: datasetRoutes.update,
  chart: chartRoutes.update,
  dashboard: dashboardRoutes.update,
  saved_query: savedQueryRoutes.update,
}

type Fields = Record<string, unknown>
interface Rule {
  type?: string | string[]
  maxLength?: number
  maxItems?: number
  items?: { properties?: Record<string, Rule> }
}

const propertiesOf = (schema: unknown): Record<string, Rule> =>
  (schema as { properties?: Record<string, Rule> }).properties ?? {}

/** JSON of a text has at most six bytes per character, which avoids counting those of small documents. */
const maxBytesPerCharacter = 6

/** @throws AppError `unprocessable` for contents that do not fit into the body of the call that saves them */
function refuseLargeBody(body: Fields, limit: number): void {
  const texts = Object.values(body).filter((value) => typeof value === 'string')
  const isList = Object.values(body).some(Array.isArray)
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (!isList && length * maxBytesPerCharacter <= limit) return
  if (Buffer.byteLength(JSON.stringify(body)) <= limit) return
  throw new AppError('unprocessable', {
    message: message('errors.bundle.unsavable', 'It is larger than {mb, number} MB, so it could not be saved again.', {
      mb: limit / 2 ** 20,
    }),
  })
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** The first text of a list's items that is too long. */
function findItemErrors(rule: Rule, items: unknown[]): SchemaErrors | undefined {
  const properties = rule.items?.properties
  if (!properties) return undefined
  for (const [index, item] of items.entries())
    for (const [field, reasons] of Object.entries(isFields(item) ? findLengthErrors(properties, item) : {})) {
      const [reason] = reasons as string[]
      return [message('errors.bundle.inItem', '{field} of item {n, number}: {reason}', { field, n: index + 1, reason })]
    }
  return undefined
}

/** Only lengths: contents have numbers and JSON texts where the body has truth values and objects. */
function findLengthErrors(properties: Record<string, Rule>, fields: Fields): FieldMessages {
  const errors: FieldMessages = {}
  for (const [name, value] of Object.entries(fields)) {
    const rule = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!rule || (typeof value !== 'string' && !Array.isArray(value))) continue
    const { maxLength, maxItems } = rule
    const found =
      findErrors({ ...(maxLength && { maxLength }), ...(maxItems && { maxItems }) }, value) ??
      (Array.isArray(value) ? findItemErrors(rule, value) : undefined)
    if (found) errors[name] = found
  }
  return errors
}

/** @throws AppError `invalid_payload` or `unprocessable` with the errors of the call that saves a dashboard */
function checkDashboard(content: AnyContent): void {
  refuseTooManyCharts((content['chartIds'] as number[]).length, 'position')
  refuseTooLarge('position', content['position_json'] as string | null)
  refuseTooLarge('metadata', content['json_metadata'] as string | null)
}

/**
 * Applies the limits of the calls that save objects, so that nothing is imported that could not be saved afterwards.
 * @throws AppError `unprocessable` with details by path and field
 */
export function refuseUnsavable(kind: BundledKind, content: AnyContent, path: string): void {
  const { body, bodyLimit = defaultBodyLimit } = savingRoutes[kind]
  const properties = propertiesOf(body)
  const errors = findLengthErrors(properties, content)
  if (Object.keys(errors).length > 0) throw fileProblem(path, errors)
  const saved = Object.fromEntries(Object.entries(content).filter(([name]) => Object.hasOwn(properties, name)))
  try {
    if (kind === 'dashboard') checkDashboard(content)
    refuseLargeBody(saved, bodyLimit)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw fileProblem(path, error.fieldMessages ?? error.sentence)
  }
}
