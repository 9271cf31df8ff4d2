import { acceptedFields, type AcceptedField, type AcceptedFields } from './accepted-fields.ts'

type Document = Record<string, unknown>

export const otherFieldsFolder = 'other_fields'

/** Path of the file with the fields of an object that Superset refuses. It ignores files in unknown folders. */
export const otherFieldsPath = (path: string): string => `${otherFieldsFolder}/${path}`

/** The path of the object that such a file belongs to; undefined for other files. */
export const ownerOfOtherFields = (path: string): string | undefined =>
  path.startsWith(`${otherFieldsFolder}/`) ? path.slice(otherFieldsFolder.length + 1) : undefined

/**
 * Divides a document into what Superset 6.1 accepts and all other fields: those that it does not know and those with values of
 * another type. Entries of a list are named in `others` by their name or UUID. Documents of kinds that Superset ignores stay whole.
 */
export function splitDocument(path: string, document: Document): { accepted: Document; others: Document } {
  const fields = acceptedFields[path.split('/', 1)[0]!]
  return fields ? splitFields(document, fields) : { accepted: document, others: {} }
}

/** Adds what `splitDocument` has taken out of a document. Fields that the document has are kept. */
export function joinDocument(document: Document, others: Document): Document {
  const joined = Object.entries(others).map(([name, value]) => [
    name,
    Object.hasOwn(document, name) ? joinValue(document[name], value) : value,
  ])
  return { ...document, ...(Object.fromEntries(joined) as Document) }
}

/** Names of fields that Superset reads as others. */
const otherNames: Readonly<Record<string, string>> = {
  allow_file_upload: 'allow_csv_upload',
  schemas_allowed_for_file_upload: 'schemas_allowed_for_csv_upload',
}

/** Some releases have written it as JSON text, which Superset still reads. */
const schemasForFiles = 'schemas_allowed_for_csv_upload'

function isListText(value: unknown): boolean {
  if (typeof value !== 'string' || !value.startsWith('[')) return false
  try {
    return (JSON.parse(value) as unknown[]).every((name) => typeof name === 'string')
  } catch {
    return false
  }
}

function splitFields(document: Document, fields: AcceptedFields): { accepted: Document; others: Document } {
  const accepted: [string, unknown][] = []
  const others: [string, unknown][] = []
  for (const [name, value] of Object.entries(document)) {
    const known = otherNames[name] ?? name
    const field = Object.hasOwn(fields, known) ? fields[known] : undefined
    const parts =
      field === undefined
        ? { other: value }
        : name === schemasForFiles && isListText(value)
          ? { own: value }
          : splitValue(value, field)
    if ('own' in parts) accepted.push([name, parts.own])
    if ('other' in parts) others.push([name, parts.other])
  }
  return { accepted: Object.fromEntries(accepted), others: Object.fromEntries(others) }
}

/** `own` is what Superset accepts, `other` the rest; either may be missing. */
function splitValue(value: unknown, field: AcceptedField): { own?: unknown; other?: unknown } {
  if (typeof field === 'string') return accepts(value, field) ? { own: value } : { other: value }
  if (value === null) return field.nullable ? { own: value } : { other: value }
  if ('fields' in field) {
    if (!isDocument(value)) return { other: value }
    const { accepted, others } = splitFields(value, field.fields)
    return { own: accepted, ...(hasAny(others) && { other: others }) }
  }
  if ('values' in field) return isDocument(value) ? splitNames(value, field.values) : { other: value }
  const { items } = field
  if (!Array.isArray(value)) return { other: value }
  if (typeof items === 'string' || !('fields' in items))
    return value.every((item) => isAccepted(item, items)) ? { own: value } : { other: value }
  return splitEntries(value, items.fields)
}

function splitNames(value: Document, field: AcceptedField): { own: unknown; other?: unknown } {
  const { accepted, others } = splitFields(value, Object.fromEntries(Object.keys(value).map((name) => [name, field])))
  return { own: accepted, ...(hasAny(others) && { other: others }) }
}

const isAccepted = (value: unknown, field: AcceptedField): boolean => !('other' in splitValue(value, field))

function splitEntries(entries: readonly unknown[], fields: AcceptedFields): { own?: unknown; other?: unknown } {
  if (!entries.every(isDocument)) return { other: entries }
  const others: [string, Document][] = []
  const own = entries.map((entry) => {
    const parts = splitFields(entry, fields)
    if (hasAny(parts.others)) others.push([nameOf(entry), parts.others])
    return parts.accepted
  })
  return { own, ...(others.length > 0 && { other: Object.fromEntries(others) }) }
}

/** Entries keep their names when someone sorts the file. */
const nameOf = (entry: Document): string => String(entry['column_name'] ?? entry['metric_name'] ?? entry['uuid'])

function joinValue(value: unknown, other: unknown): unknown {
  if (!isDocument(other)) return value
  if (isDocument(value)) return joinDocument(value, other)
  if (!Array.isArray(value)) return value
  return value.map((entry: unknown) => {
    const found = isDocument(entry) && Object.hasOwn(other, nameOf(entry)) ? other[nameOf(entry)] : undefined
    return isDocument(entry) && isDocument(found) ? joinDocument(entry, found) : entry
  })
}

const checks: Readonly<Record<string, (value: unknown) => boolean>> = {
  String: (value) => typeof value === 'string',
  UUID: (value) => typeof value === 'string',
  Url: (value) => typeof value === 'string',
  // Of `configuration_method`, the only one.
  Enum: (value) => value === 'sqlalchemy_form' || value === 'dynamic_form',
  Integer: (value) => Number.isInteger(value),
  Boolean: (value) => typeof value === 'boolean',
  Dict: (value) => isDocument(value),
}

function accepts(value: unknown, type: string): boolean {
  if (value === null) return type.endsWith('?')
  return checks[type.replace('?', '')]?.(value) ?? true
}

const hasAny = (document: Document): boolean => Object.keys(document).length > 0

const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
