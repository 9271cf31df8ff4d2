import { useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import { type ApiDocument, type JsonSchema, resolveSchema, schemaName } from './api-document.ts'
import styles from './api-reference.module.css'
import { describeLimits, describeType } from './schema-text.ts'

interface SchemaViewProps {
  document: ApiDocument
  schema: JsonSchema
}

/** The object in a schema: itself, the entries of an array, or the schema of a JSON text. */
function innerSchema(document: ApiDocument, schema: JsonSchema): JsonSchema {
  const resolved = resolveSchema(document, schema)
  const inner = (resolved['contentSchema'] ?? resolved['items']) as JsonSchema | undefined
  return inner ? innerSchema(document, inner) : resolved
}

const branchesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  (schema['anyOf'] ?? schema['oneOf'] ?? []) as readonly JsonSchema[]

const fieldsOf = (schema: JsonSchema): [string, JsonSchema][] =>
  Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>)

/** True if there is more to show than the type in words. */
function hasParts(document: ApiDocument, schema: JsonSchema): boolean {
  const inner = innerSchema(document, schema)
  return fieldsOf(inner).length > 0 || branchesOf(inner).some((branch) => hasParts(document, branch))
}

/** The fields of a schema. Those with fields of their own can be expanded. */
export function SchemaView({ document, schema }: SchemaViewProps) {
  const t = useTranslate()
  const inner = innerSchema(document, schema)
  const fields = fieldsOf(inner)
  const branches = branchesOf(inner).filter((branch) => hasParts(document, branch))
  const required = (inner['required'] ?? []) as readonly string[]
  if (fields.length === 0 && branches.length === 0)
    return (
      <p className={styles.field}>
        <span className={styles.type}>{describeType(schema, t)}</span>
        {describeLimits(inner, t).map((text) => (
          <span key={text} className={styles.note}>
            {text}
          </span>
        ))}
      </p>
    )
  return (
    <>
      {branches.map((branch, index) => (
        <Expandable
          key={index}
          document={document}
          schema={branch}
          title={schemaName(branch) ?? describeType(branch, t)}
        />
      ))}
      {fields.length > 0 && (
        <ul className={styles.fields}>
          {fields.map(([name, field]) => (
            <li key={name}>
              <p className={styles.field}>
                <code>{name}</code>
                <span className={styles.type}>{describeType(field, t)}</span>
                {required.includes(name) && <strong>{t('apiReference.required', 'required')}</strong>}
                {[field['description'] as string | undefined, ...describeLimits(field, t)]
                  .filter(Boolean)
                  .map((text) => (
                    <span key={text} className={styles.note}>
                      {text}
                    </span>
                  ))}
              </p>
              {hasParts(document, field) && (
                <Expandable
                  document={document}
                  schema={field}
                  title={t('apiReference.fields', 'Fields of {name}', { name })}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Renders its content when it is opened, because schemas can contain themselves. */
function Expandable({ document, schema, title }: SchemaViewProps & { title: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles.nested} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && <SchemaView document={document} schema={schema} />}
    </details>
  )
}
